import type { AssumedRules } from '../../src/sandbox/contract/assumed-rules.ts';

/** The assumed rules as they are printed: no file can answer them, so that they have no part in the exit code. */
export function questionsText(groups: readonly AssumedRules[]): string {
  const count = groups.reduce((sum, { rules }) => sum + rules.length, 0);
  return [
    `To be asked of the service: ${count} rules that its documentation leaves open and the stand-in decides.`,
    ...groups.flatMap(({ endpoint = 'Every endpoint', rules }) => [
      '',
      endpoint,
      ...rules.map((rule) => `  ${rule}`),
    ]),
  ].join('\n');
}
