import { expect, test } from 'vitest';
import { ok, type Result, Stop } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import { chooseLaunchedId } from '../../../src/scan/launch.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { aScan, invalid, polled, refused, stopped, unreachable } from './fake-api.ts';

const IDS = ['launch', 'scan', 'more'] as const;
const LAUNCHED = { scanId: 'launch', otherIds: ['scan', 'more'] };
const known = ok(aScan('QUEUED'));
const unknown = refused(404, 'not_found');

/** @param service the answer to a read of each id; by default, the service knows no scan */
async function choose(
  service: Readonly<Record<string, Result<Scan, ApiError>>>,
  { signal = NEVER_ABORTED, late = {} as typeof service } = {},
) {
  const asked: string[] = [];
  const chosen = await chooseLaunchedId(
    {
      readScan: async (_project, id, call) => {
        expect(call.signal).toBe(signal);
        asked.push(id);
        return service[id] ?? unknown;
      },
      scan: async (_project, id, call) => {
        expect(call.signal).toBe(NEVER_ABORTED);
        asked.push(`late ${id}`);
        const read = late[id] ?? unknown;
        return read.ok ? polled(read.value) : read;
      },
    },
    'p',
    IDS,
    { signal, cancelSignal: NEVER_ABORTED },
  );
  return { ...chosen, asked };
}

test('chooseLaunchedId chooses the first id that the service knows', async () => {
  expect(await choose({ launch: known, scan: known })).toEqual({
    scanId: 'launch',
    otherIds: [],
    asked: ['launch'],
  });
  expect(await choose({ scan: known })).toEqual({ scanId: 'scan', otherIds: [], asked: ['launch', 'scan'] });
});

test('chooseLaunchedId chooses no id if the service knows none', async () => {
  expect(await choose({})).toEqual({ asked: ['launch', 'scan', 'more'] });
});

test('chooseLaunchedId chooses an id whose scan cannot be read, and keeps the other ids', async () => {
  expect(await choose({ launch: unreachable('unknown', 'reset'), scan: known })).toEqual({
    ...LAUNCHED,
    asked: ['launch'],
  });
  expect(await choose({ launch: invalid(404, 'not-json') })).toMatchObject({ scanId: 'launch' });
  expect(await choose({ scan: refused(500, 'internal') })).toMatchObject({
    scanId: 'scan',
    otherIds: ['launch', 'more'],
  });
});

test('after the run is stopped, chooseLaunchedId looks for the scan to cancel', async () => {
  const signal = AbortSignal.abort(new Stop('signal'));
  const service = { launch: stopped('signal') };
  expect(await choose(service, { signal, late: { scan: known } })).toEqual({
    scanId: 'scan',
    otherIds: [],
    asked: ['launch', 'late launch', 'late scan'],
  });
  expect(await choose(service, { signal })).toMatchObject(LAUNCHED);
});
