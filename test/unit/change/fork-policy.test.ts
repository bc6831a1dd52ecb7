import { expect, test } from 'vitest';
import { refuseTarget } from '../../../src/change/fork-policy.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';
import { sampleTarget } from '../report/sample-report.ts';

/** A run on an event, for a pull request if the event has one. */
function target(event: ScanTarget['event'], isFork: boolean, secretsWithheld: boolean): ScanTarget {
  const sample = sampleTarget({ event, secretsWithheld, pullRequest: { isFork } });
  return event.startsWith('pull_request') ? sample : { ...sample, pullRequest: undefined };
}

const EVENTS = ['pull_request', 'pull_request_target', 'merge_group', 'push'] as const;
const CASES = EVENTS.flatMap((event) =>
  (event.startsWith('pull') ? [false, true] : [false]).flatMap((isFork) =>
    [false, true].map((secretsWithheld) => ({ event, isFork, secretsWithheld })),
  ),
);

test('a run is refused as the golden file shows, without a token or with one', async () => {
  const lines = CASES.flatMap(({ event, isFork, secretsWithheld }) => {
    const of = (hasToken: boolean, scanForks: 'trusted' | 'all' | 'none') => {
      const refusal = refuseTarget(target(event, isFork, secretsWithheld), { hasToken, scanForks });
      return refusal === undefined ? 'admitted' : `${refusal.reason}: ${refusal.cause} ${refusal.nextStep}`;
    };
    expect([of(false, 'all'), of(false, 'none'), of(true, 'all')]).toEqual([
      ...[of(false, 'trusted'), of(false, 'trusted')],
      of(true, 'trusted'),
    ]);
    const where = `${event}${isFork ? ' from a fork' : ''}${secretsWithheld ? ', secrets withheld' : ''}`;
    return [
      `${where}:`,
      `  no token: ${of(false, 'trusted')}`,
      `  a token: ${of(true, 'trusted')}`,
      ...(of(true, 'none') === of(true, 'trusted') ? [] : [`  scan-forks none: ${of(true, 'none')}`]),
    ];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/fork-policy.txt');
});
