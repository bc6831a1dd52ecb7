import { expect, test } from 'vitest';
import { ok, type Result, Stop } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import { withStoredGuidance } from '../../../src/scan/match-new-scans.ts';
import { isAsLaunched } from '../../../src/scan/recover-launch.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { hashOfText } from '../../../src/scan-api/wire-writes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { aScan, refused } from './fake-api.ts';
import { pendingLaunch, whole } from './sample-subject.ts';

type Claimed = ReadonlySet<string> | undefined;

interface Options {
  readonly claimed?: readonly Claimed[];
  readonly stored?: string;
  readonly abortedAfterMs?: number;
  readonly subject?: undefined;
}

async function isUsed(read: Result<Scan, ApiError>, options: Options = {}) {
  const { claimed = [new Set()], stored, abortedAfterMs } = options;
  const clock = new FakeClock();
  const stop = new AbortController();
  if (abortedAfterMs !== undefined) {
    void clock.sleep(abortedAfterMs).then(() => stop.abort(new Stop('timeout')));
    clock.sleeps.pop();
  }
  let looks = 0;
  const used = await isAsLaunched(
    {
      api: {
        readScan: async (_project, _id, { signal }) => (signal === stop.signal ? read : expect.unreachable()),
        guidance: async () => ok(stored ?? null),
      },
      clock,
      signal: stop.signal,
      readClaimedScans: async () => {
        looks += 1;
        return claimed[Math.min(looks, claimed.length) - 1];
      },
    },
    { ...pendingLaunch, ...('subject' in options && { subject: undefined }) },
    's',
  );
  return { used, looks, sleeps: clock.sleeps };
}

const shown = (changes: Partial<Scan> = {}) => ok(aScan('RUNNING', { ...whole, ...changes }));
const text = (guidance: string): Partial<Scan> => ({
  guidance: { from: 'unknown', hash: hashOfText(guidance) },
});

test('isAsLaunched accepts a matching scan if two reads find no mark of the scan', async () => {
  expect(await isUsed(shown())).toEqual({ used: true, looks: 2, sleeps: [5_000] });
});

test('withStoredGuidance recognizes the stored guidance in a scan', () => {
  const scan = aScan('RUNNING', text('Mind.'));
  expect(withStoredGuidance(scan, hashOfText('Mind.'))).toEqual({
    ...scan,
    guidance: { from: 'repository' },
  });
});

test('isAsLaunched accepts a scan that shows exactly the stored guidance', async () => {
  expect(await isUsed(shown(text('Mind.')), { stored: 'Mind.' })).toMatchObject({ used: true });
  expect(await isUsed(shown(text('Mind.')), { stored: 'Other.' })).toMatchObject({ used: false });
});

test.each<[string, Result<Scan, ApiError>]>([
  ['was cancelled', ok(aScan('CANCELLED', whole))],
  ['failed', ok(aScan('FAILED', whole))],
  ['cannot be read', refused(404, 'not_found')],
  ['does not show its areas', shown({ areas: undefined })],
  ['does not show its guidance', shown({ guidance: undefined })],
  ['does not show its commit', shown({ headSha: undefined })],
  ['shows another budget', shown({ creditBudget: 10 })],
])('isAsLaunched reads no marks, and rejects the scan, if the scan %s', async (_what, read) => {
  expect(await isUsed(read)).toEqual({ used: false, looks: 0, sleeps: [] });
});

test('isAsLaunched rejects every scan if the subject of the launch is not known', async () => {
  expect(await isUsed(shown(), { subject: undefined })).toMatchObject({ used: false });
});

test.each<[string, readonly Claimed[], number]>([
  ['if the first read of the marks shows its mark', [new Set(['s'])], 1],
  ['if the second read of the marks shows its mark', [new Set(), new Set(['s'])], 2],
  ['if the marks cannot be read', [undefined], 1],
  ['if the second read of the marks fails', [new Set(), undefined], 2],
])('isAsLaunched rejects a scan %s', async (_what, claimed, looks) => {
  expect(await isUsed(shown(), { claimed })).toMatchObject({ used: false, looks });
});

test('isAsLaunched rejects a scan if the run is stopped before the second read of the marks', async () => {
  expect(await isUsed(shown(), { abortedAfterMs: 1_000 })).toMatchObject({ used: false, looks: 1 });
});
