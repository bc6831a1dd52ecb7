import { expect, test } from 'vitest';
import {
  describeLost,
  describeUnknown,
  type LostLaunch,
  launchUnknown,
  notOfLaunch,
  recoveryHint,
} from '../../../src/scan/lost-launch.ts';
import { type NoMatch, noMatch } from '../../../src/scan/new-scans.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { unreachable } from './fake-api.ts';
import { pendingLaunch, subject } from './sample-subject.ts';

const pending = { ...pendingLaunch, projectId: 'p\u202e\n1' };

type Explained = Omit<ReturnType<typeof launchUnknown>, 'kind'> & { readonly bySignal?: boolean };
const sentences = ({ reason, cause, nextStep }: Explained) => `${reason}\n    ${cause}\n    ${nextStep}`;
const explain = (lost: LostLaunch, bySignal = false) =>
  launchUnknown(describeLost(unreachable('unknown', 'reset').error), pending, lost, bySignal);
type Unmatched = readonly [why: NoMatch['why'], ...ids: string[]];
const causeOf = ([why, ...ids]: Unmatched) => explain(noMatch(why, ids)).cause;
const found = (cancellation: Extract<LostLaunch, { kind: 'found' }>['cancellation']) =>
  ({ kind: 'found', scanId: 'a', cancellation }) as const;

test('a launch whose answer was lost is explained as launch-unknown.txt shows', async () => {
  await expectTable('launch-unknown', {
    'launchUnknown, if the search ended with': casesOf<Unmatched>(causeOf, {
      none: ['none'],
      several: ['several', 'a', 'b'],
      'cannot-tell': ['cannot-tell'],
      'cannot-tell, and an id': ['cannot-tell', 'a'],
      claimed: ['claimed', 'a'],
      'marks-unreadable': ['marks-unreadable', 'a', 'b'],
      unreadable: ['unreadable'],
      'unreadable, and an id': ['unreadable', 'a'],
      'not-sought': ['not-sought'],
    }),
    'launchUnknown, if the scan': casesOf((lost) => sentences(explain(lost)), {
      'was cancelled': found({ kind: 'cancelled' }),
      'had ended': found({ kind: 'already-terminal', status: 'COMPLETED' }),
      'may still be running': found({ kind: 'failed', cause: 'No.', unknown: false }),
    }),
    'launchUnknown, if a signal ended the search, and a scan': casesOf(
      (lost) => sentences(explain(lost, true)),
      {
        'was not found': noMatch('none'),
        'was cancelled': found({ kind: 'cancelled' }),
      },
    ),
    'recoveryHint, if the budget': casesOf((known) => recoveryHint({ ...pending, subject: known }), {
      'is known': subject,
      'was chosen by the service': { ...subject, creditBudget: undefined },
      'is no longer known': undefined,
    }),
    'the scan of the answer to the launch': {
      'is not known to the service': describeUnknown('a'),
      'may not be of the launch': sentences(notOfLaunch('a', pending)),
    },
  });
});

test('launchUnknown marks a run that a signal has ended', () => {
  expect(explain(noMatch('none'), true)).toMatchObject({ bySignal: true });
  expect(explain(noMatch('none'))).not.toHaveProperty('bySignal');
});

test('launchUnknown names at most 20 scan ids, each on one line', () => {
  const many = Array.from({ length: 100 }, (_, index) => `scan\n${index}`);
  const { cause } = explain(noMatch('several', many));
  expect(cause).toContain('and 80 more');
  expect(cause).not.toContain('\n');
});
