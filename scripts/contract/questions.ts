import type { AssumedRules } from '../../sandbox/contract/assumed-rules.ts';
import { wrapped } from './lines.ts';

/**
 * Renders the rules that the documentation of the service leaves open. No contract file can confirm them, so they do
 * not affect the exit code.
 */
export function questionsText(groups: readonly AssumedRules[]): string {
  return [
    `To be asked of the service: ${countOf(groups)} rules that its documentation leaves open.`,
    ...groups.flatMap(({ endpoint = 'Every endpoint', rules }) => [
      '',
      endpoint,
      ...rules.flatMap((rule) => wrapped(rule, '  ')),
    ]),
  ].join('\n');
}

/** Says how many assumed rules there are, and which option prints them. */
export function hiddenRulesText(groups: readonly AssumedRules[]): string {
  return `With --all: every name, and ${countOf(groups)} rules that no file can confirm.`;
}

function countOf(groups: readonly AssumedRules[]): number {
  return groups.reduce((sum, { rules }) => sum + rules.length, 0);
}
