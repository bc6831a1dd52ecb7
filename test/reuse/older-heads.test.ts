import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { cancelScansOfOlderHeads } from '../../src/reuse/older-heads.ts';
import { partsForHead, reuseKey, type ScanParts } from '../../src/scan/scan-mark.ts';
import { createScanApi } from '../../src/scan-api/client.ts';
import { FakeClock } from '../fake-clock.ts';
import { client, github, SHA } from '../github/client.ts';

const PARTS: ScanParts = {
  repositoryId: 'r',
  pullRequest: 5,
  headCommit: SHA.head,
  baseCommit: SHA.base,
  presetRef: 'diff',
  creditBudget: 20,
  auditAreas: [],
  guidance: undefined,
  launchParameters: {},
};
/** What the run of the head before this one left behind. */
const OLDER = {
  scanId: 's',
  key: reuseKey(partsForHead(PARTS, SHA.other, SHA.base)),
  headSha: SHA.other,
};
const RUNNING = { scan: { id: 's', status: 'RUNNING' } };
const INTERNAL = { error: { code: 'internal', message: 'oops' } };

const service = () => nock('https://service.test');
const SCAN = '/api/v1/projects/p/scans/s';

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

async function cancelOlder() {
  const said: string[] = [];
  const signal = new AbortController().signal;
  const api = createScanApi({
    baseUrl: 'https://service.test/api/v1',
    token: 'token-of-the-test',
    clock: new FakeClock(),
    signal,
  });
  const log = { info: (text: string) => void said.push(text) };
  const notices = await cancelScansOfOlderHeads({ api, github: client(), log }, [OLDER], PARTS, 'p');
  return { notices, said };
}

function headIs(headRefOid: string): void {
  const data = { viewer: { login: 'x' }, repository: { pullRequest: { headRefOid } } };
  github().post('/graphql').reply(200, { data });
}

test('a blip while it is read does not leave the scan of an older head running', async () => {
  service().get(SCAN).times(2).reply(503, INTERNAL);
  service().get(SCAN).reply(200, RUNNING);
  headIs(SHA.head);
  service().post(`${SCAN}/cancel`).reply(200, { scanId: 's', status: 'CANCELLED', cancelledJobs: 1 });
  expect(await cancelOlder()).toEqual({
    notices: [],
    said: [expect.stringContaining('was still running and was cancelled')],
  });
});

test('a service that stays away is told as a scan that may still run', async () => {
  service().get(SCAN).times(4).reply(503, INTERNAL);
  expect(await cancelOlder()).toEqual({
    notices: [expect.stringContaining('Scan `s` of an older head of this pull request may still be running')],
    said: [],
  });
});

test('a head that is the current one again keeps its scan', async () => {
  service().get(SCAN).reply(200, RUNNING);
  headIs(SHA.other);
  expect(await cancelOlder()).toEqual({ notices: [], said: [] });
});
