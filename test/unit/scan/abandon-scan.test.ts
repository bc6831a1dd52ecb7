import { expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import { abandonScan } from '../../../src/scan/cancel.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, aScan, refused, unreachable } from './fake-api.ts';

async function abandon(api: Parameters<typeof abandonScan>[0]['api']) {
  const warnings: string[] = [];
  const warn = (...sentences: readonly string[]) => void warnings.push(...sentences);
  return { ...(await abandonScan({ api, warn }, 'p', 's', NEVER_ABORTED)), warnings };
}

const ended = refused(400, 'bad_request', { operation: 'cancel the scan' });
const lost = unreachable('unknown', 'reset');

test('returns CANCELLED for a scan that was cancelled before it was read', async () => {
  const api = { cancel: answers<void>(ok(undefined)), readScan: answers<Scan>() };
  expect(await abandon(api)).toEqual({
    scanStatus: 'CANCELLED',
    warnings: [expect.stringContaining('Cancelled scan `s`')],
  });
});

test('returns the status that the service shows for a scan that had ended', async () => {
  const api = { cancel: answers<void>(ended), readScan: answers<Scan>(ok(aScan('COMPLETED'))) };
  expect(await abandon(api)).toEqual({
    scanStatus: 'COMPLETED',
    warnings: ['Scan `s` had already ended as COMPLETED.'],
  });
});

test('returns no status for a scan that may still be running, and leaves it to be cancelled later', async () => {
  const api = { cancel: answers<void>(lost), readScan: answers<Scan>(ok(aScan('RUNNING'))) };
  const abandoned = await abandon(api);
  expect(abandoned).toMatchObject({
    mayStillBeRunning: true,
    warnings: [expect.stringContaining('may still be running')],
  });
  expect(abandoned).not.toHaveProperty('scanStatus');
});
