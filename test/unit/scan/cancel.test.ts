import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import { cancelScan, describeCancellation } from '../../../src/scan/cancel.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { createGuardedApi } from '../../support/guarded-api.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, aScan, refused, unreachable } from './fake-api.ts';

type Cancelled = Parameters<typeof answers<void>>[number];
type Polled = Parameters<typeof answers<Scan>>[number];

const cancel = (answer: Cancelled, ...reads: Polled[]) =>
  cancelScan({ cancel: answers<void>(answer), readScan: answers<Scan>(...reads) }, 'p', 's', NEVER_ABORTED);
const terminal = refused(400, 'bad_request', { operation: 'cancel the scan' });
const lost = unreachable('unknown', 'reset');

describe('cancelScan', () => {
  test('does not read the scan if the service confirms the cancellation', async () => {
    expect(await cancel(ok(undefined))).toEqual({ kind: 'cancelled' });
  });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'])('reports that the scan was %s before', async (status) => {
    expect(await cancel(terminal, ok(aScan(status)))).toEqual({ kind: 'already-terminal', status });
  });

  test('reads the scan if the answer is lost', async () => {
    expect(await cancel(lost, ok(aScan('CANCELLED')))).toEqual({ kind: 'cancelled' });
    expect(await cancel(lost, ok(aScan('COMPLETED')))).toEqual({
      kind: 'already-terminal',
      status: 'COMPLETED',
    });
  });

  test('treats a 400 as a sign that the scan has ended, even if the scan cannot be read', async () => {
    expect(await cancel(terminal, lost)).toEqual({ kind: 'already-terminal', status: undefined });
    expect(await cancel(terminal, ok(aScan('RUNNING')))).toMatchObject({ kind: 'failed' });
    expect(describeCancellation('s', { kind: 'already-terminal', status: undefined })).toBe(
      'Scan `s` had already ended.',
    );
  });

  test('never reports a scan as cancelled that has not ended', async () => {
    for (const read of [ok(aScan('RUNNING')), ok(aScan('CANCELLING')), lost]) {
      expect(await cancel(lost, read)).toMatchObject({ kind: 'failed', cause: expect.stringContaining('.') });
    }
    expect(await cancel(refused(403, 'forbidden', { operation: 'cancel the scan' }), lost)).toMatchObject({
      kind: 'failed',
      cause: expect.stringContaining('`scans:launch`'),
    });
  });

  test('reads the status of a scan that has ended despite a temporary failure', async () => {
    const scan = '/api/v1/projects/p/scans/s';
    const service = nock('https://service.test')
      .post(`${scan}/cancel`)
      .reply(400, { error: { code: 'bad_request', message: 'terminal' } })
      .get(scan)
      .reply(503, { error: { code: 'internal', message: 'oops' } })
      .get(scan)
      .reply(200, { scan: { id: 's', status: 'COMPLETED' } });
    const api = createGuardedApi({
      baseUrl: 'https://service.test/api/v1',
      token: 'token-of-the-test',
      clock: new FakeClock(),
      fetch,
      random: () => 0,
      showMessages: true,
    });
    expect(await cancelScan(api, 'p', 's', NEVER_ABORTED)).toEqual({
      kind: 'already-terminal',
      status: 'COMPLETED',
    });
    service.done();
  });
});
