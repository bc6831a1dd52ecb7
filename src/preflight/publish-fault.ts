import { disclosureOf } from '../domain/disclosure.ts';
import type { ScanTarget } from '../domain/target.ts';
import type { PublishInputs } from '../runner/inputs.ts';

/**
 * In a repository that may be public, a page without a password would show everyone what is not fixed yet. Returns an
 * input error if the inputs ask for such a page, otherwise undefined. Pure.
 */
export function publishFault(
  { when, gated }: PublishInputs,
  target: Pick<ScanTarget, 'event' | 'repository'>,
): string | undefined {
  if (when === 'never' || gated || disclosureOf(target) !== 'labels') return undefined;
  return `On \`${target.event}\`, \`publish\` needs \`publish-password: true\`. This repository may be public, and the page would show everyone what is not fixed yet. Set \`publish-password\` to \`true\`, or \`publish\` to \`never\`.`;
}
