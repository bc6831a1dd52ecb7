import { expect, test } from 'vitest';
import { refusePayment, refuseTarget } from '../../../src/change/fork-policy.ts';
import { Stop } from '../../../src/domain/result.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import type { Prepared } from '../../support/answering.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answered } from '../github/client.ts';
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

const MAY_WRITE: Prepared = [200, { permission: 'write' }];
const MAY_READ: Prepared = [200, { permission: 'read' }];
const DENIED = 'Resource not accessible by integration';

/** Who started a run for a fork of mallory, and GitHub's answers about the permissions. */
interface Payment extends Partial<TargetPullRequest> {
  readonly event?: ScanTarget['event'];
  readonly by?: string;
  readonly signal?: AbortSignal;
  readonly replies?: readonly Prepared[];
}

async function payment({ by = 'mallory', event, signal = NEVER_ABORTED, replies = [], ...changes }: Payment) {
  const { github, asked } = answered(...replies);
  const pullRequest = { author: 'mallory', isFork: true, ...changes };
  const target = sampleTarget({ event: event ?? 'pull_request_target', pullRequest });
  const refusal = await refusePayment({ github, signal }, target, by);
  expect(asked).toHaveLength(replies.length);
  return refusal === undefined ? 'admitted' : `${refusal.reason}: ${refusal.cause} ${refusal.nextStep}`;
}

test('a scan of a fork is paid for as the golden file shows', async () => {
  const rows: Readonly<Record<string, Payment>> = {
    'a fork without secrets': { event: 'pull_request' },
    'a branch of the repository': { isFork: false },
    'an author who may write': { replies: [MAY_WRITE] },
    'an author who may not write': { replies: [MAY_READ] },
    'a deleted author': { author: '', by: '' },
    'a starter who may write': { by: 'olga', replies: [MAY_WRITE, MAY_WRITE] },
    'a starter who may not write': { by: 'eve', replies: [MAY_WRITE, MAY_READ] },
    'the token of the workflow, for a sender who may not write': {
      by: 'github-actions[bot]',
      sender: 'eve',
      replies: [MAY_WRITE, MAY_READ],
    },
    'the token of the workflow, for no sender': { by: 'github-actions[bot]', replies: [MAY_WRITE] },
    'a refusal about the author': { replies: [[403, { message: DENIED }]] },
    'a refusal about the starter': { by: 'olga', replies: [MAY_WRITE, [403, { message: DENIED }]] },
    'a refusal without a message': { replies: [[403, { message: '' }]] },
    'a refusal of the token': { replies: [[401, { message: 'Bad credentials' }]] },
    'no answer about the author': { replies: [[422, {}]] },
    'no answer about the starter': { by: 'olga', replies: [MAY_WRITE, [422, {}]] },
    'a signal': { signal: AbortSignal.abort(new Stop('signal')) },
  };
  await expectTable('payment', { 'refusePayment, for': casesOf(payment, rows) });
});
