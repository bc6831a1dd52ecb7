import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { ok, type Result } from '../../../src/domain/result.ts';
import type { ListedScan, Scan, ScanList } from '../../../src/domain/scan.ts';
import type { FoundMark } from '../../../src/scan/find-marks.ts';
import { cancelSupersededScans, findMarksOfRunning } from '../../../src/scan/superseded-scans.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { createScanApi } from '../../../src/scan-api/client.ts';
import type { ScanApi } from '../../../src/scan-api/scan-api.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer } from '../github/pull-request-answers.ts';
import { aScan, refused, unreachable } from './fake-api.ts';
import { checkRun, found, markText, SEAL } from './marked.ts';

/** The mark that the run for the previous head left. */
const OLDER = found({ headSha: SHA.other });
const RUN = { repositoryId: 'r', projectId: 'p', pullRequest: 5, headSha: SHA.head, runId: 50 };

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

/** Makes GitHub show these heads of the pull request in turn, one before each cancellation. */
function headIs(...heads: readonly string[]): void {
  for (const headRefOid of heads) github().post('/graphql').reply(200, pullRequestAnswer({ headRefOid }));
}

type Reads = Readonly<Record<string, Result<Scan, ApiError>>>;

async function cancel(
  marks: readonly FoundMark[],
  reads: Reads,
  cancels: Readonly<Record<string, Result<void, ApiError>>> = {},
) {
  const said: string[] = [];
  const read: string[] = [];
  const cancelled: string[] = [];
  const warnings: string[] = [];
  await cancelSupersededScans(
    {
      warn: (...sentences) => void warnings.push(...sentences),
      api: {
        readScan: async (_project, id) => {
          read.push(id);
          return reads[id] ?? refused(404, 'not_found');
        },
        cancel: async (_project, id) => {
          cancelled.push(id);
          return cancels[id] ?? ok(undefined);
        },
      },
      github: client(),
      seal: SEAL,
      signal: NEVER_ABORTED,
      log: { info: (text) => void said.push(text) },
    },
    marks,
    RUN,
  );
  return { warnings, said, read, cancelled };
}

const running = (id = 's') => ({ [id]: ok(aScan('RUNNING', { id })) });

describe('cancelSupersededScans: a running scan of an older head', () => {
  test.each(['RUNNING', 'QUEUED', 'WINDING_DOWN'])(
    'cancels a scan of an older head with the status %s, and logs it',
    async (status) => {
      headIs(SHA.head);
      expect(await cancel([OLDER], { s: ok(aScan(status)) })).toEqual({
        warnings: [],
        said: [
          `Cancelled scan \`s\` of the older head commit \`${SHA.other}\`. The service releases its reserved credits, but charges completed work.`,
        ],
        read: ['s'],
        cancelled: ['s'],
      });
    },
  );

  test('cancels a scan once, however many marks name it', async () => {
    headIs(SHA.head);
    expect(await cancel([OLDER, OLDER, found({ headSha: SHA.base })], running())).toMatchObject({
      read: ['s'],
      cancelled: ['s'],
    });
  });

  test('cancels at most three scans', async () => {
    headIs(SHA.head, SHA.head, SHA.head);
    const ids = ['a', 'b', 'c', 'd'];
    const marks = ids.map((scanId) => found({ headSha: SHA.other, scanId }));
    const reads: Reads = Object.fromEntries(ids.map((id) => [id, ok(aScan('RUNNING', { id }))]));
    expect(await cancel(marks, reads)).toMatchObject({ cancelled: ['a', 'b', 'c'] });
  });

  test('accepts that the scan ended in the meantime', async () => {
    headIs(SHA.head);
    const reads = [ok(aScan('RUNNING')), ok(aScan('COMPLETED'))];
    await cancelSupersededScans(
      {
        warn: () => expect.unreachable(),
        api: {
          readScan: async () => reads.shift() ?? refused(500, 'internal'),
          cancel: async () => refused(400, 'bad_request', { operation: 'cancel the scan' }),
        },
        github: client(),
        seal: SEAL,
        signal: NEVER_ABORTED,
        log: { info: () => expect.unreachable() },
      },
      [OLDER],
      RUN,
    );
    expect(reads).toEqual([]);
  });
});

describe('cancelSupersededScans: nothing to cancel', () => {
  test.each<[string, FoundMark]>([
    ['another pull request', found({ headSha: SHA.other, pullRequest: 6 })],
    ['a merge group', found({ headSha: SHA.other, pullRequest: undefined })],
    ['this head', found()],
    ['a later run', found({ headSha: SHA.other, runId: 51 })],
    ['this run', found({ headSha: SHA.other, runId: 50 })],
  ])('does not read the scan for a mark of %s', async (_what, mark) => {
    expect(await cancel([mark], running())).toEqual({ warnings: [], said: [], read: [], cancelled: [] });
  });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'])(
    'cancels nothing if the scan has ended as %s',
    async (status) => {
      expect(await cancel([OLDER], { s: ok(aScan(status)) })).toEqual({
        warnings: [],
        said: [],
        read: ['s'],
        cancelled: [],
      });
    },
  );

  test.each([
    ['is the older one again, because an old run is repeated after a force push', SHA.other],
    ['is a newer one, whose run cancels it', SHA.base],
  ])('cancels nothing if the head of the pull request %s', async (_what, head) => {
    headIs(head);
    expect(await cancel([OLDER], running())).toEqual({ warnings: [], said: [], read: ['s'], cancelled: [] });
  });

  test('cancels nothing, and warns, if the pull request cannot be read', async () => {
    github().post('/graphql').reply(403, { message: 'no' });
    github().get('/repos/acme/shop/pulls/5').reply(403, { message: 'no' });
    expect(await cancel([OLDER], running())).toEqual({
      warnings: [
        expect.stringMatching(/^Scan `s` for an earlier commit may still be running and using credits\./),
      ],
      said: [],
      read: ['s'],
      cancelled: [],
    });
  });

  test('cancels nothing if the service does not know the scan', async () => {
    expect(await cancel([OLDER], {})).toEqual({ warnings: [], said: [], read: ['s'], cancelled: [] });
  });
});

describe('cancelSupersededScans: a scan that may still be running', () => {
  const warning = expect.stringMatching(
    /^Scan `s` for an earlier commit may still be running and using credits\. Check it in the service\. /,
  );

  test.each([
    ['read', { s: unreachable('unknown', 'reset') }, {}, []],
    ['read with this token', { s: refused(403, 'forbidden') }, {}, []],
  ] as const)('warns of a scan that cannot be %s', async (_what, reads, cancels, cancelled) => {
    expect(await cancel([OLDER], reads, cancels)).toMatchObject({ warnings: [warning], said: [], cancelled });
  });

  test('warns of a scan that cannot be cancelled', async () => {
    headIs(SHA.head);
    const lost = unreachable('unknown', 'reset');
    expect(await cancel([OLDER], running(), { s: lost })).toMatchObject({ warnings: [warning], said: [] });
  });

  test('tries the other scans after a failure', async () => {
    headIs(SHA.head);
    const marks = [OLDER, found({ headSha: SHA.other, scanId: 't' })];
    const reads = { s: unreachable('unknown', 'reset'), t: ok(aScan('RUNNING', { id: 't' })) };
    expect(await cancel(marks, reads)).toMatchObject({ warnings: [warning], cancelled: ['t'] });
  });
});

describe('cancelSupersededScans with the real client', () => {
  const INTERNAL = { error: { code: 'internal', message: 'oops' } };
  const SCAN = '/api/v1/projects/p/scans/s';
  const service = () => nock('https://service.test');
  const api: ScanApi = createScanApi({
    baseUrl: 'https://service.test/api/v1',
    token: 'token-of-the-test',
    clock: new FakeClock(),
    fetch,
    random: () => 0,
    showMessages: true,
  });
  const deps = {
    api,
    seal: SEAL,
    signal: NEVER_ABORTED,
    log: { info: () => {} },
  };

  test('cancels the scan of an older head despite a temporary failure', async () => {
    service().get(SCAN).times(2).reply(503, INTERNAL);
    service()
      .get(SCAN)
      .reply(200, { scan: { id: 's', status: 'RUNNING' } });
    headIs(SHA.head);
    service().post(`${SCAN}/cancel`).reply(200, { scanId: 's', status: 'CANCELLED', cancelledJobs: 1 });
    await cancelSupersededScans(
      { ...deps, warn: () => expect.unreachable(), github: client() },
      [OLDER],
      RUN,
    );
  });

  test('warns if the service does not answer', async () => {
    service().get(SCAN).times(4).reply(503, INTERNAL);
    const warnings: string[] = [];
    const warn = (...sentences: readonly string[]) => void warnings.push(...sentences);
    await cancelSupersededScans({ ...deps, warn, github: client() }, [OLDER], RUN);
    expect(warnings).toEqual([expect.stringContaining('may still be running')]);
  });
});

describe('findMarksOfRunning', () => {
  const FIRST = '1'.repeat(40);
  const SECOND = '2'.repeat(40);
  const THIRD = '3'.repeat(40);
  const FOURTH = '4'.repeat(40);
  const FOR = { pullRequest: 5, headSha: SHA.head, runId: 50, repositoryId: 'r', baseSha: SHA.base };
  const deps = () => ({ github: client(), seal: SEAL, signal: NEVER_ABORTED });

  function listOf(...scans: Partial<ListedScan>[]): ScanList {
    const { progress: _, ...nothing } = aScan('RUNNING');
    return { scans: scans.map((scan) => ({ ...nothing, ...scan })), complete: true };
  }
  const checkRunsOn = (commit: string, ...marks: string[]) =>
    github()
      .get(`/repos/acme/shop/commits/${commit}/check-runs`)
      .query({ filter: 'all', per_page: 100, page: 1 })
      .reply(200, { check_runs: marks.map((mark, index) => checkRun(index + 1, mark, commit)) });
  const scanIdsOf = async (list: ScanList | undefined, known: readonly FoundMark[] = []) =>
    (await findMarksOfRunning(deps(), list, known, FOR)).map(({ scanId }) => scanId);

  test('reads the marks on the commit that a running scan shows', async () => {
    checkRunsOn(FIRST, markText({ headSha: FIRST, scanId: 'first' }));
    expect(await findMarksOfRunning(deps(), listOf({ headSha: FIRST }), [], FOR)).toMatchObject([
      { scanId: 'first', headSha: FIRST, pullRequest: 5, checkRun: { id: 1 } },
    ]);
  });

  test('returns only marks of this pull request', async () => {
    checkRunsOn(
      FIRST,
      markText({ headSha: FIRST, pullRequest: 6, scanId: 'theirs' }),
      markText({ headSha: FIRST, pullRequest: undefined, scanId: 'group' }),
      markText({ headSha: SECOND, scanId: 'copied' }),
      markText({ headSha: FIRST, scanId: 'ours' }),
    );
    expect(await scanIdsOf(listOf({ headSha: FIRST }))).toEqual(['ours']);
  });

  test.each<[string, Partial<ListedScan>]>([
    ['has ended', { headSha: FIRST, status: 'COMPLETED' }],
    ['shows no status', { headSha: FIRST, status: undefined }],
    ['is of another repository', { headSha: FIRST, repositoryId: 'q' }],
    ['shows no commit', { headSha: undefined }],
    ['shows an abbreviated commit', { headSha: FIRST.slice(0, 12) }],
    ['is of this head', { headSha: SHA.head }],
    ['is of a commit whose marks are known', { headSha: SHA.other }],
  ])('sends no request if the scan %s', async (_what, scan) => {
    expect(await scanIdsOf(listOf(scan), [OLDER])).toEqual([]);
  });

  test('sends no request without a list of scans', async () => {
    expect(await scanIdsOf(undefined)).toEqual([]);
    expect(await scanIdsOf(listOf())).toEqual([]);
  });

  test('reads at most three commits once each, first those with the base of this change', async () => {
    checkRunsOn(THIRD, markText({ headSha: THIRD, scanId: 'third' }));
    checkRunsOn(FIRST);
    checkRunsOn(SECOND, markText({ headSha: SECOND, scanId: 'second' }));
    const list = listOf(
      { headSha: FIRST },
      { headSha: FIRST, repositoryId: 'r' },
      { headSha: SECOND, baseSha: SHA.base.slice(0, 12) },
      { headSha: THIRD, baseSha: SHA.base },
      { headSha: FOURTH },
    );
    expect(await scanIdsOf(list)).toEqual(['third', 'second']);
  });

  test('ends if GitHub does not answer, and keeps the marks of earlier commits', async () => {
    checkRunsOn(FIRST, markText({ headSha: FIRST, scanId: 'first' }));
    github().get(new RegExp(SECOND)).reply(403, { message: 'no' });
    const list = listOf({ headSha: FIRST }, { headSha: SECOND }, { headSha: THIRD });
    expect(await scanIdsOf(list)).toEqual(['first']);
  });
});
