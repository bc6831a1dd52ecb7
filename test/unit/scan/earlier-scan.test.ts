import { expect, test } from 'vitest';
import { ok, type Result, Stop } from '../../../src/domain/result.ts';
import { candidates } from '../../../src/scan/candidates.ts';
import { useEarlierScan } from '../../../src/scan/earlier-scan.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import type { PolledScan } from '../../../src/scan-api/client.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { POLICY, sampleFinding } from '../report/sample-report.ts';
import { aScan, BASE, HEAD, polled, refused, stopped, unreachable } from './fake-api.ts';

type Poll = Result<PolledScan, ApiError>;

/** The mark of a scan of other commits with the same files. */
const MARKED = { scanId: 's', launchedAt: 1_000, baseSha: 'd'.repeat(40), headSha: 'e'.repeat(40) };
const THIRD = 'c'.repeat(40);

const showing = (status: string, shown: Parameters<typeof aScan>[1] = { baseSha: BASE, headSha: HEAD }) =>
  polled(aScan(status, shown));
const ofThird = (status: string) => showing(status, { baseSha: BASE, headSha: THIRD });
const ofMark = (status: string) => showing(status, { baseSha: MARKED.baseSha, headSha: MARKED.headSha });
const GONE = refused(404, 'not_found');

interface Given {
  /**
   * The answers to reads of the scan `s`, in order; the last one repeats. A read of the scan `t` always shows
   * COMPLETED.
   */
  readonly polls: readonly Poll[];
  /**
   * The ids of the scans of this change. By default, this change has no scan. The scan `s` is then of other commits
   * with the same files.
   */
  readonly exact?: readonly string[];
  /**
   * The answer of `compareFiles`. True if the commits of the scan `s` have the same files as the commits in the mark.
   */
  readonly filesMatch?: boolean;
  /** The head of this change. */
  readonly headSha?: string;
  readonly findings?: Result<never, ApiError>;
  readonly signal?: AbortSignal;
}

async function use({ polls, exact, filesMatch, headSha = HEAD, findings, signal }: Given) {
  const log: string[] = [];
  const warnings: string[] = [];
  const reads: string[] = [];
  const read = (id: string): Poll => {
    const answer = id === 't' ? showing('COMPLETED') : (polls[reads.length] ?? polls.at(-1));
    reads.push(id);
    return answer ?? GONE;
  };
  const earlier = await useEarlierScan(
    {
      // There is no `launch` and no `cancel`, because a run that uses an earlier scan needs neither.
      api: {
        scan: async (_project, id) => read(id),
        readScan: async (_project, id, options) => {
          expect(options).toEqual({ signal: NEVER_ABORTED });
          const answer = read(id);
          return answer.ok ? ok(answer.value.scan) : answer;
        },
        findings: async () => findings ?? ok([sampleFinding()]),
        finding: async () => ok(sampleFinding()),
      },
      policy: POLICY,
      disclosure: 'everything',
      clock: new FakeClock(),
      random: () => 0,
      signal: signal ?? NEVER_ABORTED,
      warn: (...sentences) => void warnings.push(...sentences),
      log: { info: (text) => void log.push(text) },
    },
    candidates(
      { tried: new Set(), readNew: async () => [] },
      (exact ?? []).map((scanId) => ({ scanId, launchedAt: 1_000 })),
      exact ? [] : [MARKED],
    ),
    {
      projectId: 'p',
      expected: { baseSha: BASE, headSha },
      ...(filesMatch !== undefined && { compareFiles: async () => ok(filesMatch) }),
    },
  );
  return { earlier, reads, log, warnings };
}

const COMPLETED = { kind: 'completed', findings: [{ id: sampleFinding().id }] };

test('useEarlierScan uses a COMPLETED scan of this change even if the scan shows no commit', async () => {
  expect(await use({ exact: ['s'], polls: [showing('COMPLETED', { baseSha: BASE })] })).toMatchObject({
    earlier: {
      kind: 'used',
      scan: {
        reused: true,
        scanId: 's',
        launchedAt: 1_000,
        scanStatus: 'COMPLETED',
        creditsReserved: 0,
        commitConfirmed: false,
        outcome: COMPLETED,
      },
    },
    log: ['Found scan `s` of another run.', 'Reusing scan `s`. No credits used.'],
    warnings: [],
  });
});

const STOPPED = AbortSignal.abort(new Stop('timeout'));
const UNREADABLE = refused(500, 'internal', { operation: 'list the findings' });
const RUNNING = [expect.stringMatching(/^Scan `s` is still running\. .* so this run did not cancel it\. /)];

test.each<
  [why: string, given: Given, status: string | undefined, failure: object, warnings: readonly unknown[]]
>([
  [
    'the findings of the first scan cannot be read',
    { polls: [showing('COMPLETED')], findings: UNREADABLE },
    'COMPLETED',
    { reason: 'service-error' },
    [],
  ],
  ['the time of the run is over', { polls: [], signal: STOPPED }, undefined, { reason: 'timeout' }, RUNNING],
  [
    'the job is cancelled while the run follows the first scan',
    { polls: [showing('RUNNING'), stopped('signal')] },
    'RUNNING',
    { reason: 'scan-cancelled', bySignal: true },
    RUNNING,
  ],
  ['the token may not read the first scan', { polls: [refused(403, 'forbidden')] }, undefined, {}, RUNNING],
  ['the service cannot be reached', { polls: [unreachable('no', 'certificate')] }, undefined, {}, RUNNING],
])(
  'useEarlierScan reports a failure instead of trying a second scan if %s',
  async (_why, given, scanStatus, failure, warnings) => {
    const { earlier, ...said } = await use({ ...given, exact: ['s', 't'] });
    const outcome = { kind: 'not-scanned', failure };
    expect(earlier).toMatchObject({
      kind: 'used',
      scan: { scanId: 's', scanStatus, creditsReserved: 0, outcome },
    });
    expect(said.warnings).toEqual(warnings);
  },
);

test.each([
  ['COMPLETED', true],
  ['FAILED', true],
  ['RUNNING', false],
])('useEarlierScan skips a scan of another commit if the scan is %s', async (status, isReported) => {
  const polls = [ofThird(status)];
  const { earlier, log, reads } = await use({ exact: ['s', 't'], polls });
  expect(earlier).toMatchObject({ kind: 'used', scan: { scanId: 't', outcome: COMPLETED } });
  expect(reads).toEqual(['s', 't']);
  expect(log[1]).toMatch(/^Scan `s` cannot be reused\. The service is scanning a different commit range/);
  const failure = expect.objectContaining({ reason: 'configuration', repeated: true });
  const ended = {
    reused: true,
    scanId: 's',
    launchedAt: 1_000,
    scanStatus: status,
    creditsReserved: 0,
    outcome: { kind: 'not-scanned', failure },
  };
  const alone = await use({ exact: ['s'], polls });
  expect(alone.earlier).toEqual({ kind: 'none', ended: isReported ? ended : undefined });
});

test('useEarlierScan skips a scan if the service answers three times that the scan does not exist', async () => {
  const { earlier, reads } = await use({ exact: ['s', 't'], polls: [GONE] });
  expect(earlier).toMatchObject({ kind: 'used', scan: { scanId: 't' } });
  expect(reads).toEqual(['s', 's', 's', 't']);
});

test('useEarlierScan reports the first of two failed scans with the same launch time', async () => {
  const polls = [showing('CANCELLED'), showing('FAILED')];
  expect((await use({ exact: ['s', 'u'], polls })).earlier).toMatchObject({ ended: { scanId: 's' } });
});

const OTHER_COMMIT = /^Scan `s` is of commit `\w+`, which has the same files\.$/;
const THIS_COMMIT =
  'Scan `s` is of this commit, for another pull request or from a base with the same files.';
const SHORT = MARKED.headSha.slice(0, 12);

test.each<[what: string, given: Given, used: object, line: string | RegExp]>([
  [
    'shows another commit with the same files',
    { polls: [ofThird('COMPLETED')], filesMatch: true },
    { commitConfirmed: true, sameFilesAs: THIRD },
    OTHER_COMMIT,
  ],
  [
    'shows only an abbreviated commit',
    { polls: [showing('COMPLETED', { headSha: SHORT })] },
    { commitConfirmed: false, sameFilesAs: MARKED.headSha },
    OTHER_COMMIT,
  ],
  [
    'shows the head of this change',
    { polls: [ofMark('COMPLETED')], headSha: MARKED.headSha },
    { commitConfirmed: true, sameFilesAs: undefined },
    THIS_COMMIT,
  ],
])(
  'useEarlierScan uses a COMPLETED scan of the same files after one read if the scan %s',
  async (_what, given, used, line) => {
    const { earlier, log, reads } = await use(given);
    // After a second read, a wrong answer could make the run pay for another scan.
    expect(reads).toEqual(['s']);
    expect(earlier).toMatchObject({
      kind: 'used',
      scan: { scanId: 's', launchedAt: 1_000, outcome: COMPLETED, ...used },
    });
    expect(log).toEqual([expect.stringMatching(line), 'Reusing scan `s`. No credits used.']);
  },
);

test.each<[what: string, polls: readonly Poll[]]>([
  ['failed', [ofMark('FAILED')]],
  ['was cancelled', [ofMark('CANCELLED')]],
  ['shows a commit with other files', [ofThird('COMPLETED')]],
  ['no longer exists', [GONE]],
  ['cannot be read', [unreachable('unknown', 'reset')]],
])(
  'useEarlierScan neither uses nor waits for a scan of the same files if the scan %s',
  async (_what, polls) => {
    const { earlier, log, reads } = await use({ polls, filesMatch: false });
    expect(earlier).toEqual({ kind: 'none', ended: undefined });
    expect(log).toEqual([expect.stringMatching(/^Scan `s` of the same files is not used\. ./)]);
    expect(reads).toEqual(['s']);
  },
);
