import { describe, expect, test } from 'vitest';
import { traitsOf } from '../../../src/domain/history.ts';
import { err, ok } from '../../../src/domain/result.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { createServiceReader, type ReadOnlyApi } from '../../../src/triage/service.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { sampleFinding } from '../report/sample-report.ts';

const FINDING = sampleFinding({ id: 'fnd_1', resolution: 'NOT_STARTED' });
const known = (blocks: boolean) => [{ ...traitsOf(FINDING), blocks }];
const refusal = (status: number): ApiError => ({
  kind: 'refused',
  operation: 'check the API token',
  status,
  code: 'error',
  message: 'no',
  retryAfterSeconds: undefined,
});

/** A reader of a service that answers the token request with these statuses; the last status repeats. */
function reader(...statuses: readonly number[]) {
  const asked: string[] = [];
  const api: ReadOnlyApi = {
    token: async () => {
      const status = statuses[Math.min(asked.filter((one) => one === 'token').length, statuses.length - 1)];
      asked.push('token');
      return status === undefined || status === 200
        ? ok({ projectId: 'prj_1', scopes: ['read'], expiresAt: undefined, spendLimit: undefined })
        : err(refusal(status));
    },
    readScan: async () => {
      throw new Error('no scan is read');
    },
    findings: async () => {
      asked.push('findings');
      return ok([{ ...FINDING, resolution: 'WONT_FIX' }]);
    },
  };
  return { asked, service: createServiceReader(api, undefined, NEVER_ABORTED) };
}

describe('the findings of a scan', () => {
  test('the findings of a scan are read only if one of them blocked', async () => {
    const { asked, service } = reader();
    expect((await service.refuseFindings('scn_1', known(false)))?.reason).toBe('nothing-blocked');
    expect(asked).toEqual([]);
  });

  test('a re-run is allowed if each finding that blocked has been closed', async () => {
    const { service } = reader();
    expect(await service.refuseFindings('scn_1', known(true))).toBeUndefined();
  });
});

describe('the project of the token', () => {
  test('the project of the token is requested once', async () => {
    const { asked, service } = reader();
    await service.refuseFindings('scn_1', known(true));
    await service.refuseFindings('scn_2', known(true));
    expect(asked).toEqual(['token', 'findings', 'findings']);
  });

  test.each([503, 401])('the project of the token is requested again after status %i', async (status) => {
    const { service } = reader(status, 200);
    expect((await service.refuseFindings('scn_1', known(true)))?.isFailure).toBe(true);
    expect(await service.refuseFindings('scn_2', known(true))).toBeUndefined();
  });
});
