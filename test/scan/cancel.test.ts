import { describe, expect, test } from 'vitest';
import { ok } from '../../src/domain/result.ts';
import { cancelScan } from '../../src/scan/cancel.ts';
import type { PolledScan } from '../../src/scan-api/client.ts';
import { answers, aScan, polled, refused, unreachable } from './stand-in-api.ts';

type Cancelled = Parameters<typeof answers<void>>[number];
type Polled = Parameters<typeof answers<PolledScan>>[number];

const cancel = (answer: Cancelled, ...reads: Polled[]) =>
  cancelScan({ cancel: answers<void>(answer), scan: answers<PolledScan>(...reads) }, 'p', 's');
const terminal = refused(400, 'bad_request', { operation: 'cancel the scan' });
const lost = unreachable('unknown', 'reset');

describe('cancelling', () => {
  test('that the service confirms needs no second look', async () => {
    expect(await cancel(ok(undefined))).toEqual({ kind: 'cancelled' });
  });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'])(
    'of a scan that was %s before is told as such',
    async (status) => {
      expect(await cancel(terminal, polled(aScan(status)))).toEqual({ kind: 'already-terminal', status });
    },
  );

  test('whose answer is lost asks the scan what became of it', async () => {
    expect(await cancel(lost, polled(aScan('CANCELLED')))).toEqual({ kind: 'cancelled' });
    expect(await cancel(lost, polled(aScan('COMPLETED')))).toEqual({
      kind: 'already-terminal',
      status: 'COMPLETED',
    });
  });

  test('that did not end the scan is never called cancelled', async () => {
    for (const read of [polled(aScan('RUNNING')), polled(aScan('CANCELLING')), lost]) {
      expect(await cancel(lost, read)).toMatchObject({ kind: 'failed', cause: expect.stringContaining('.') });
    }
    expect(await cancel(refused(403, 'forbidden', { operation: 'cancel the scan' }), lost)).toMatchObject({
      kind: 'failed',
      cause: expect.stringContaining('`scans:launch`'),
    });
  });
});
