import { disclosureOf } from '../domain/disclosure.ts';
import type { ScanTarget } from '../domain/target.ts';
import type { PublishInputs } from '../runner/inputs.ts';

/**
 * Returns an input error if a published page has no password, and the report may show only labels. The page would show
 * everyone what is not fixed yet. Otherwise returns undefined.
 */
export function publishFault(
  { when, gated }: PublishInputs,
  target: Pick<ScanTarget, 'event' | 'repository'>,
): string | undefined {
  if (when === 'never' || gated || disclosureOf(target) !== 'labels') return undefined;
  return `On \`${target.event}\`, \`publish\` needs \`publish-password: true\`. This repository may be public, and the page would show everyone what is not fixed yet. Set \`publish-password\` to \`true\`, or \`publish\` to \`never\`.`;
}
