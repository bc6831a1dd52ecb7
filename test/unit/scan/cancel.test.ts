import { expect, test } from 'vitest';
import { ok, type Result, Stop } from '../../../src/domain/result.ts';
import type { Scan, TerminalStatus } from '../../../src/domain/scan.ts';
import { abandonScan, type Cancellation, cancelScan } from '../../../src/scan/cancel.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { aScan, refused, unreachable } from './fake-api.ts';

const CANCEL = { operation: 'cancel the scan' } as const;
const TERMINAL = refused(400, 'bad_request', CANCEL);
const FORBIDDEN = refused(403, 'forbidden', CANCEL);
const GONE = refused(404, 'not_found', CANCEL);
const LOST = unreachable('unknown', 'reset');

type Cancel = Result<void, ApiError>;
type Read = Result<Scan, ApiError>;
const DONE: Cancel = ok(undefined);
const shows = (status: string): Read => ok(aScan(status));

const CANCELLED: Cancellation = { kind: 'cancelled' };
const ended = (status?: TerminalStatus): Cancellation => ({ kind: 'already-terminal', status });
const failed = (cause = '', unknown = false) => ({
  kind: 'failed',
  cause: expect.stringContaining(cause),
  unknown,
});

/** The service gives these answers in turn. The last one repeats. `stopsAt`: the deadline, in milliseconds. */
function service(cancels: readonly [Cancel, ...Cancel[]], read: Read = LOST, stopsAt?: number) {
  const clock = new FakeClock();
  const deadline = new AbortController();
  if (stopsAt !== undefined) {
    void clock.sleep(stopsAt).then(() => deadline.abort(new Stop('timeout')));
    clock.sleeps.pop();
  }
  let attempts = 0;
  const api = {
    cancel: async (...call: unknown[]) => {
      expect(call).toEqual(['p', 's', { signal: deadline.signal }]);
      attempts += 1;
      return cancels[attempts - 1] ?? cancels.at(-1) ?? DONE;
    },
    readScan: async (...call: unknown[]) => {
      expect(call).toEqual(['p', 's', { signal: deadline.signal }]);
      return read;
    },
  };
  return { deps: { api, clock }, signal: deadline.signal, sleeps: clock.sleeps, attempts: () => attempts };
}

/** The attempts within a minute, with the waits of 2, 4 and then 8 s. */
const MINUTE = 10;

test.each<[what: string, cancel: Cancel, read: Read, end: object, attempts: number]>([
  ['reports a confirmed cancellation', DONE, LOST, CANCELLED, 1],
  ['reports that a scan had ended as COMPLETED', TERMINAL, shows('COMPLETED'), ended('COMPLETED'), 1],
  ['reports that a scan had ended as CANCELLED', TERMINAL, shows('CANCELLED'), ended('CANCELLED'), 1],
  ['reports that a scan had ended if it cannot be read', TERMINAL, LOST, ended(), 1],
  ['reports a cancellation whose answer was lost', LOST, shows('CANCELLED'), CANCELLED, 1],
  ['reports that a scan had ended if the answer was lost', LOST, shows('FAILED'), ended('FAILED'), 1],
  [
    'repeats a refused cancellation of a RUNNING scan for a minute',
    TERMINAL,
    shows('RUNNING'),
    failed(),
    MINUTE,
  ],
  ['repeats a lost cancellation for a minute', LOST, shows('CANCELLING'), failed(), MINUTE],
  ['repeats a lost cancellation of an unreadable scan for a minute', LOST, LOST, failed(), MINUTE],
  ['names the scope that the token needs', FORBIDDEN, LOST, failed('`scans:launch`'), MINUTE],
  ['tries an unknown scan four times', GONE, GONE, failed('', true), 4],
  ['repeats a 404 for a scan that can be read', GONE, shows('RUNNING'), failed(), MINUTE],
  ['repeats a 404 for a scan that cannot be read', GONE, LOST, failed(), MINUTE],
  ['repeats a lost cancellation of a scan that is not found', LOST, GONE, failed(), MINUTE],
])('cancelScan %s', async (_what, cancel, read, end, attempts) => {
  const { deps, signal, ...made } = service([cancel], read);
  expect(await cancelScan(deps, 'p', 's', signal)).toEqual(end);
  expect(made.attempts()).toBe(attempts);
});

test('cancelScan repeats a cancellation after every kind of failure', async () => {
  const refusals = [
    unreachable('no', 'certificate'),
    unreachable('no', 'proxy-credentials'),
    FORBIDDEN,
    GONE,
    LOST,
  ];
  const { deps, signal, sleeps } = service([TERMINAL, ...refusals, DONE], shows('RUNNING'));
  expect(await cancelScan(deps, 'p', 's', signal)).toEqual(CANCELLED);
  expect(sleeps).toEqual([2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
});

test('cancelScan ends at the deadline', async () => {
  const { deps, signal, attempts } = service([FORBIDDEN], LOST, 10_000);
  expect(await cancelScan(deps, 'p', 's', signal)).toEqual(failed('`scans:launch`'));
  expect([attempts(), deps.clock.now()]).toEqual([3, 10_000]);
});

const STILL_RUNNING = expect.stringMatching(
  /^Could not cancel scan `s`\. It may still be running and using credits: cancel it in the service\. ./,
);

test.each<[what: string, cancel: Cancel, read: Read, known: object, warning: unknown]>([
  [
    'that it cancels',
    DONE,
    LOST,
    { scanStatus: 'CANCELLED' },
    'Cancelled scan `s`. The service releases its reserved credits, but charges completed work.',
  ],
  [
    'that had ended',
    TERMINAL,
    shows('FAILED'),
    { scanStatus: 'FAILED' },
    'Scan `s` had already ended as FAILED.',
  ],
  [
    'that had ended with an unknown status',
    TERMINAL,
    LOST,
    { scanStatus: undefined },
    'Scan `s` had already ended.',
  ],
  ['that may still be running', LOST, shows('RUNNING'), { mayStillBeRunning: true }, STILL_RUNNING],
])('abandonScan warns of a scan %s', async (_what, cancel, read, known, warning) => {
  const warnings: string[] = [];
  const { deps, signal } = service([cancel], read);
  const warn = (...sentences: readonly string[]) => void warnings.push(...sentences);
  expect(await abandonScan({ ...deps, warn }, 'p', 's', signal)).toEqual(known);
  expect(warnings).toEqual([warning]);
});
