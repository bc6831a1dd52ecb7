import { expect, test } from 'vitest';
import { watchPullRequest } from '../../../src/change/pull-request.ts';
import { ok, type Result } from '../../../src/domain/result.ts';
import type { Scan, ScanList } from '../../../src/domain/scan.ts';
import type { Gate, LaunchableChange } from '../../../src/gate/gate.ts';
import { cancelForOlderHeads } from '../../../src/gate/older-scans.ts';
import type { FoundMark } from '../../../src/scan/marks.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { pullRequestAnswer } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';
import { aScan, refused, unreachable } from '../scan/fake-api.ts';
import { found } from '../scan/marked.ts';
import { onGitHub, refusal, type Shown } from '../scan/on-github.ts';
import { listOf } from '../scan/sample-subject.ts';

const LOST = unreachable('unknown', 'reset');
const older = (scanId: string) => found({ headSha: SHA.other, scanId });

/** The scans of older heads, and what a run of pull request 5 does about them. The run has the id 50. */
interface Situation {
  readonly what: string;
  /** Default: one mark of the previous head names the scan `s`. */
  readonly marks?: readonly FoundMark[];
  readonly list?: ScanList;
  /** The answers to reads of each scan; the last one repeats. Default: `s` is running. */
  readonly reads?: Readonly<Record<string, readonly Result<Scan, ApiError>[]>>;
  readonly cancels?: Result<void, ApiError>;
  /** Default: the pull request has the head of the run. */
  readonly shown?: Shown;
  readonly isPush?: boolean;
  /** The scans that the run asks the service to cancel. Default: none. */
  readonly cancelled?: readonly string[];
  /** The scans that the log calls cancelled. Default: all of `cancelled`. */
  readonly logged?: readonly string[];
  /** The scans that the run warns of. Default: none. */
  readonly warned?: readonly string[];
}

const shows = (id: string, status = 'RUNNING', record: Partial<Scan> = {}) => ({
  [id]: [ok(aScan(status, { id, ...record }))],
});

async function cancel({ marks, list, reads = shows('s'), cancels, shown, isPush }: Situation) {
  const asked: string[] = [];
  const cancelled = new Set<string>();
  const [log, warnings] = [[] as string[], [] as string[]];
  const clock = new FakeClock();
  const { github } = onGitHub(shown);
  const target = { ...sampleTarget({ pullRequest: { number: 5 } }), headSha: SHA.head };
  const deadlines = { work: NEVER_ABORTED, wrapUp: NEVER_ABORTED, signalled: NEVER_ABORTED };
  const watch = watchPullRequest({ github, clock, deadlines, warn: () => {} }, target, true);
  const fakes = {
    api: {
      readScan: async (_project: string, id: string) => {
        asked.push(id);
        const earlier = asked.filter((other) => other === id).length - 1;
        return reads[id]?.[earlier] ?? reads[id]?.at(-1) ?? refused(404, 'not_found');
      },
      cancel: async (_project: string, id: string) => {
        cancelled.add(id);
        return cancels ?? ok(undefined);
      },
    },
    clock,
    environment: { runId: 50 },
    signal: NEVER_ABORTED,
    log: { info: (text: string) => log.push(text) },
    warn: (...sentences: readonly string[]) => warnings.push(...sentences),
    watch,
  };
  const change = {
    target: isPush ? { ...target, pullRequest: undefined } : target,
    preflight: { projectId: 'p', repository: { id: 'r' }, scans: list ? ok(list) : LOST },
  };
  // The function uses no other members.
  await cancelForOlderHeads(fakes as object as Gate, change as LaunchableChange, marks ?? [older('s')]);
  return { cancelled: [...cancelled], log, warnings, asked, head: watch?.newest?.state.headSha };
}

const withHead = (headRefOid: string): Shown => ({
  'pull request 5': { status: 200, body: pullRequestAnswer({ headRefOid }) },
});

const SITUATIONS: readonly Situation[] = [
  { what: 'cancels a scan with an unknown status', reads: shows('s', 'WINDING_DOWN'), cancelled: ['s'] },
  { what: 'cancels a scan that several marks name once', marks: [older('s'), older('s')], cancelled: ['s'] },
  {
    what: 'cancels at most three scans',
    marks: ['a', 'b', 'c', 'd'].map(older),
    reads: { ...shows('a'), ...shows('b'), ...shows('c'), ...shows('d') },
    cancelled: ['a', 'b', 'c'],
  },
  {
    what: 'cancels no scan that the list shows as ended',
    list: listOf({ id: 's', status: 'COMPLETED' }),
  },
  { what: 'cancels no scan that has ended', reads: shows('s', 'COMPLETED') },
  { what: 'cancels no scan of this head', marks: [found()] },
  {
    what: 'cancels no scan of a merge group',
    marks: [found({ headSha: SHA.other, pullRequest: undefined })],
  },
  { what: 'cancels no scan of another pull request', marks: [found({ headSha: SHA.other, pullRequest: 6 })] },
  { what: 'cancels no scan that this run launched', marks: [found({ headSha: SHA.other, runId: 50 })] },
  { what: 'cancels no scan that a later run launched', marks: [found({ headSha: SHA.other, runId: 51 })] },
  { what: 'cancels no scan for a push to a branch', isPush: true },
  { what: 'cancels no scan of another repository', reads: shows('s', 'RUNNING', { repositoryId: 'q' }) },
  {
    what: 'cancels no scan of another head than the mark',
    reads: shows('s', 'RUNNING', { headSha: SHA.base }),
  },
  { what: 'cancels no scan of a head that a force push has restored', shown: withHead(SHA.other) },
  {
    what: 'warns of a scan if the pull request cannot be read',
    shown: { 'pull request 5': refusal(403), 'pull request 5 by REST': refusal(403) },
    warned: ['s'],
  },
  { what: 'ignores a scan that the service does not know', reads: {} },
  {
    what: 'warns of a scan that cannot be read, and cancels the next scan',
    marks: ['s', 't'].map(older),
    reads: { s: [refused(403, 'forbidden')], ...shows('t') },
    cancelled: ['t'],
    warned: ['s'],
  },
  {
    what: 'warns of a scan that cannot be cancelled',
    cancels: LOST,
    cancelled: ['s'],
    logged: [],
    warned: ['s'],
  },
  {
    what: 'does not mention a scan that ends before the cancellation',
    reads: { s: [ok(aScan('RUNNING')), ok(aScan('COMPLETED'))] },
    cancels: refused(400, 'bad_request'),
    cancelled: ['s'],
    logged: [],
  },
];

// `test.each` would shorten the names of the tests.
for (const situation of SITUATIONS)
  test(`cancelForOlderHeads ${situation.what}`, async () => {
    const { cancelled = [], logged = cancelled, warned = [] } = situation;
    expect(await cancel(situation)).toMatchObject({
      cancelled,
      log: logged.map(
        (id) =>
          `Cancelled scan \`${id}\` of the older head commit \`${SHA.other}\`. The service releases its reserved credits, but charges completed work.`,
      ),
      warnings: warned.map((id) =>
        expect.stringContaining(
          `Scan \`${id}\` for an earlier commit may still be running and using credits. Check it in the service. `,
        ),
      ),
    });
  });

test('cancelForOlderHeads reads the pull request once for each running scan, and keeps what it read', async () => {
  const situation = { what: '', shown: withHead('d'.repeat(40)) };
  expect(await cancel(situation)).toMatchObject({ head: 'd'.repeat(40), cancelled: [], asked: ['s'] });
});
