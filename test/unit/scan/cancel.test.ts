import { expect, test } from 'vitest';
import { ok, type Result, Stop } from '../../../src/domain/result.ts';
import { cancelScan } from '../../../src/scan/cancel.ts';
import { cancelFound } from '../../../src/scan/lost-launch.ts';
import { noMatch } from '../../../src/scan/new-scans.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { serviceStep } from '../../support/service-step.ts';
import { aScan, refused, unreachable } from './fake-api.ts';
import { pendingLaunch } from './sample-subject.ts';

const LOST = unreachable('unknown', 'reset');
const ENDED = refused(400, 'bad_request');
const UNKNOWN = refused(404, 'not_found');

/** The answers to the cancellations, and what the reads of the scan show: its status or an error. The last one repeats. */
interface Course {
  readonly cancel: readonly Result<void, ApiError>[];
  readonly shown?: readonly (string | Result<never, ApiError>)[];
  /** The number of the cancellation during which the signal aborts. */
  readonly abortsIn?: number;
}

function stepOf({ cancel, shown = ['RUNNING'], abortsIn }: Course) {
  const clock = new FakeClock();
  const limit = new AbortController();
  let tries = 0;
  let reads = 0;
  const api = {
    cancel: async () => {
      if (limit.signal.aborted) throw new Error('asked after the end');
      if (tries + 1 === abortsIn) limit.abort(new Stop('timeout'));
      return cancel[Math.min(tries++, cancel.length - 1)] ?? LOST;
    },
    readScan: async () => {
      const status = shown[Math.min(reads++, shown.length - 1)] ?? LOST;
      return typeof status === 'string' ? ok(aScan(status)) : status;
    },
  };
  return { clock, step: serviceStep(api, { clock, signal: limit.signal }) };
}

async function course(given: Course): Promise<string> {
  const { clock, step } = stepOf(given);
  const made = await cancelScan(step, 'p', 's');
  const waits = clock.sleeps.length === 0 ? '' : ` after ${clock.sleeps.map((ms) => ms / 1_000).join(' ')} s`;
  if (made.kind === 'failed') return `failed${made.unknown ? ', unknown' : ''}${waits}: ${made.cause}`;
  return `${made.kind}${made.kind === 'already-terminal' ? ` as ${made.status}` : ''}${waits}`;
}

test('a cancellation is repeated until it is known that the scan has ended', async () => {
  const courses: Readonly<Record<string, Course>> = {
    'an accepted cancellation': { cancel: [ok(undefined)] },
    'a refusal, as the scan has completed': { cancel: [ENDED], shown: ['COMPLETED'] },
    'a refusal, as the scan was cancelled': { cancel: [ENDED], shown: ['CANCELLED'] },
    'a refusal, as the scan has ended, which cannot be read': { cancel: [ENDED], shown: [LOST] },
    'a lost answer, and the scan is cancelled': { cancel: [LOST], shown: ['CANCELLED'] },
    'a lost answer, and the scan has completed': { cancel: [LOST], shown: ['COMPLETED'] },
    'a lost answer, and the scan cannot be read': { cancel: [LOST, ok(undefined)], shown: [LOST] },
    'a lost answer, and the scan is running': { cancel: [LOST, ok(undefined)] },
    'lost answers': { cancel: [LOST] },
    'a refusal for another reason': { cancel: [refused(403, 'forbidden')], shown: [LOST] },
    'a refusal, as the scan has ended, but it is running': { cancel: [ENDED] },
    'a scan that the service does not know': { cancel: [UNKNOWN], shown: [UNKNOWN] },
    'a scan that the service knows later': { cancel: [UNKNOWN, UNKNOWN, ok(undefined)], shown: [UNKNOWN] },
    'a scan that the service does not know, but shows': { cancel: [UNKNOWN] },
    'a scan that only cannot be cancelled, and cannot be read': { cancel: [UNKNOWN], shown: [LOST] },
    'a timeout in the third cancellation': { cancel: [LOST], abortsIn: 3 },
  };
  await expectTable('cancel', { cancelScan: casesOf(course, courses) });
});

test.each<[what: string, given: Course, result: object]>([
  ['a cancelled scan', { cancel: [ok(undefined)] }, { kind: 'cancelled' }],
  ['a scan that shows CANCELLED', { cancel: [ENDED], shown: ['CANCELLED'] }, { kind: 'cancelled' }],
  [
    'a scan that had completed',
    { cancel: [ENDED], shown: ['COMPLETED'] },
    { kind: 'already-terminal', status: 'COMPLETED' },
  ],
  ['a scan that may run', { cancel: [LOST] }, { kind: 'failed' }],
])('cancelFound reports %s', async (_what, given, result) => {
  const found = { kind: 'found', scanId: 'new' } as const;
  const lost = await cancelFound(stepOf(given).step, pendingLaunch, found);
  expect(lost).toMatchObject({ ...found, cancellation: result });
});

test('cancelFound cancels nothing if no scan was found', async () => {
  const several = noMatch('several', ['a']);
  expect(await cancelFound(serviceStep({}), pendingLaunch, several)).toEqual(several);
});
