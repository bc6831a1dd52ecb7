import { expect, test } from 'vitest';
import { ok, type Result } from '../../../src/domain/result.ts';
import type { Scan, TerminalStatus } from '../../../src/domain/scan.ts';
import { abandonScan, type Cancellation, cancelScan } from '../../../src/scan/cancel.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, aScan, refused, unreachable } from './fake-api.ts';

const CANCEL = { operation: 'cancel the scan' } as const;
const TERMINAL = refused(400, 'bad_request', CANCEL);
const GONE = refused(404, 'not_found', CANCEL);
const LOST = unreachable('unknown', 'reset');

const DONE: Cancellation = { kind: 'cancelled' };
const ended = (status?: TerminalStatus): Cancellation => ({ kind: 'already-terminal', status });
const failed = (cause = '', unknown = false) => ({
  kind: 'failed',
  cause: expect.stringContaining(cause),
  unknown,
});

type Cancel = Result<void, ApiError>;
type Read = Result<Scan, ApiError>;
const RUNNING: Read = ok(aScan('RUNNING'));

test.each<[what: string, cancel: Cancel, read: Read | undefined, end: object]>([
  ['reports a confirmed cancellation without reading the scan', ok(undefined), undefined, DONE],
  [
    'reports that a scan had already ended as COMPLETED',
    TERMINAL,
    ok(aScan('COMPLETED')),
    ended('COMPLETED'),
  ],
  [
    'reports that a scan had already ended as CANCELLED',
    TERMINAL,
    ok(aScan('CANCELLED')),
    ended('CANCELLED'),
  ],
  [
    'reports that a scan had ended if the service neither cancels nor shows the scan',
    TERMINAL,
    LOST,
    ended(),
  ],
  ['reports a failure if the service refuses to cancel a RUNNING scan', TERMINAL, RUNNING, failed()],
  [
    'reports a cancellation if the answer is lost, but the scan is CANCELLED',
    LOST,
    ok(aScan('CANCELLED')),
    DONE,
  ],
  [
    'reports that a scan had ended if the answer is lost, but the scan is COMPLETED',
    LOST,
    ok(aScan('COMPLETED')),
    ended('COMPLETED'),
  ],
  [
    'reports a failure if the answer is lost, and the scan has not ended',
    LOST,
    ok(aScan('CANCELLING')),
    failed(),
  ],
  ['reports a failure if the answer is lost, and the scan cannot be read', LOST, LOST, failed()],
  [
    'names the scope that the token needs to cancel a scan',
    refused(403, 'forbidden', CANCEL),
    LOST,
    failed('`scans:launch`'),
  ],
  ['reports a scan as unknown if the cancellation and the read get 404', GONE, GONE, failed('', true)],
  ['reports a failure if only the cancellation gets 404', GONE, RUNNING, failed()],
  ['reports a failure if the cancellation gets 404, and the scan cannot be read', GONE, LOST, failed()],
  ['reports a failure if only the read gets 404', LOST, GONE, failed()],
])('cancelScan %s', async (_what, cancel, read, end) => {
  const reads = read === undefined ? [] : [read];
  const api = { cancel: answers(cancel), readScan: answers(...reads) };
  expect(await cancelScan(api, 'p', 's', NEVER_ABORTED)).toEqual(end);
  const call = ['p', 's', { signal: NEVER_ABORTED }];
  expect(api.cancel.calls).toEqual([call]);
  expect(api.readScan.calls).toEqual(reads.map(() => call));
});

const CANCELLED =
  'Cancelled scan `s`. The service releases its reserved credits, but charges completed work.';
const STILL_RUNNING = expect.stringMatching(
  /^Could not cancel scan `s`\. It may still be running and using credits: cancel it in the service\. ./,
);

test.each<[what: string, cancel: Cancel, read: Read, known: object, warning: unknown]>([
  ['that it cancels', ok(undefined), LOST, { scanStatus: 'CANCELLED' }, CANCELLED],
  [
    'that had ended',
    TERMINAL,
    ok(aScan('FAILED')),
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
  ['that may still be running', LOST, RUNNING, { mayStillBeRunning: true }, STILL_RUNNING],
])('abandonScan warns of a scan %s', async (_what, cancel, read, known, warning) => {
  const warnings: string[] = [];
  const deps = {
    api: { cancel: answers(cancel), readScan: answers(read) },
    warn: (...sentences: readonly string[]) => void warnings.push(...sentences),
  };
  expect(await abandonScan(deps, 'p', 's', NEVER_ABORTED)).toEqual(known);
  expect(warnings).toEqual([warning]);
});
