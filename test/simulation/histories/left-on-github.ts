import { createHash } from 'node:crypto';
import { LOOK_SERVES_MS } from '../../../src/change/pull-request.ts';
import { readsPull } from './change-at.ts';
import { PULL_REQUEST } from './environment.ts';
import type { Job } from './job.ts';
import { disturbed, type Exchange } from './network.ts';
import type { SimulatedHistory } from './simulated-history.ts';
import { isOfGate } from './workflow.ts';

const CHECK_NAME = 'Security scan';
const MARKER = /<!-- scangate:v1 check=([0-9a-f]{16}) head=([0-9a-f]{40,64}) run=\d+ attempt=\d+ -->/g;
const OF_COMMENT = [
  'graphql',
  'comments.list',
  'comments.create',
  'comments.update',
  'comments.delete',
  'pulls.read',
];
const WRITES = ['comments.create', 'comments.update'];
const OF_CHECK_RUN = ['check.create', 'check.update', 'check.read', 'check.list'];

/** What is left on GitHub, but should not be. */
export function findLeftOnGitHub(simulated: SimulatedHistory): readonly string[] {
  // If another workflow has edited our comment, the comment is not checked.
  const ofComments = simulated.copies.comments ? [] : findComments(simulated);
  return [...ofComments, ...findOpenCheckRuns(simulated)];
}

/** The heads that the gate's comments in these texts describe. */
export function commentedHeads(texts: readonly string[]): readonly string[] {
  const hash = createHash('sha256').update(CHECK_NAME).digest('hex').slice(0, 16);
  return texts.flatMap((text) =>
    [...text.matchAll(MARKER)].flatMap(([, check, head = '']) => (check === hash ? [head] : [])),
  );
}

function findComments({ environment, last, beforeFinalRun, jobs, exchanges }: SimulatedHistory): string[] {
  const broken: string[] = [];
  const ofPull = environment.github.comments.all.filter(({ issue }) => issue === PULL_REQUEST);
  const own = commentedHeads(ofPull.map(({ body }) => body));
  if (own.length > 1) broken.push(`${own.length} comments of ours`);
  if (own.some((sha) => sha !== last.plan.headSha)) broken.push('the comment is about another head');
  if (own.length === 0 && Number(last.outputs?.['findings-reported'] ?? 0) > 0)
    broken.push('there is no comment');

  // If nothing disturbed the runs before the final run, the comment that they left is checked too.
  const before = jobs.filter((job) => job !== last && isOfGate(job.run));
  const ownBefore = commentedHeads(beforeFinalRun.comments);
  const undisturbed = before
    .filter((job) => job.exitCode !== undefined && job.signalledAt === undefined)
    // If faults delay the check run, the job can run out of time before it writes the comment.
    .filter((job) => !disturbed(exchanges, job, 'github', [...OF_COMMENT, ...OF_CHECK_RUN]));
  if (ownBefore.length > 1 && undisturbed.length === before.length)
    broken.push(`${ownBefore.length} comments before the final run`);
  const moments = environment.pulls.momentsOf(PULL_REQUEST).filter(({ from }) => from < beforeFinalRun.at);
  // If reads lag, or if the pull request was closed, the comment may show an older result.
  if (moments.some(({ from, shownFrom, record }) => shownFrom > from || record.state !== 'open'))
    return broken;
  const ages = moments.map(({ record }) => record.headSha);
  const newest = Math.max(
    -1,
    ...undisturbed.map((job) => (job.outputs?.outcome ? ages.lastIndexOf(job.plan.headSha) : -1)),
  );
  const shown = Math.max(-1, ...ownBefore.map((sha) => ages.lastIndexOf(sha)));
  const [commented = ''] = ownBefore;
  const isOutdated = undisturbed.length === before.length && ownBefore.length === 1 && shown < newest;
  if (isOutdated && !hadReadBefore(exchanges, commented, moments[newest]?.from ?? 0))
    broken.push('before the final run, the comment was about an older head than the newest that finished');
  return broken;
}

/**
 * Whether the run that wrote the comment on this head could not know of the push at `pushedAt`. Such a run reads the
 * pull request before the push, and writes the comment shortly after its read.
 */
function hadReadBefore(exchanges: readonly Exchange[], headSha: string, pushedAt: number): boolean {
  const written = exchanges.findLast(
    ({ point, text }) => WRITES.includes(point) && commentedHeads([text]).includes(headSha),
  );
  const read = exchanges.findLast(
    (exchange) =>
      exchange.process.run === written?.process.run &&
      readsPull(exchange) &&
      exchange.sentAt <= written.sentAt,
  );
  if (written === undefined || read?.arrivedAt === undefined) return false;
  return read.arrivedAt <= pushedAt && written.sentAt - read.sentAt <= LOOK_SERVES_MS;
}

/**
 * Finds check runs in progress. A job may leave one in three cases: it lost its machine, its requests about check runs
 * had a fault, or its check run reached GitHub too late.
 */
function findOpenCheckRuns({ environment, jobs, exchanges, copies }: SimulatedHistory): string[] {
  // A job finds its check run by the mark. If the mark was overwritten, the job may leave the check run in progress.
  if (copies.overwritten.length > 0) return [];
  const open = environment.github.checkRuns.all.filter(
    ({ status, id }) => status !== 'completed' && !copies.checkRuns.has(id),
  );
  const runs = open.flatMap(({ detailsUrl }) => Number(/runs\/(\d+)$/.exec(detailsUrl ?? '')?.[1]));
  return runs.flatMap((runId) => {
    const mine = jobs.filter((job) => job.plan.runId === runId);
    const excused = mine.some(
      (job) => job.lost || disturbed(exchanges, job, 'github', OF_CHECK_RUN) || wasUnderWay(exchanges, job),
    );
    return excused ? [] : [`a check run of run ${mine.map(({ plan }) => plan.number)} is still in progress`];
  });
}

/** Whether the check run of a killed process reached GitHub too late. `post` had already looked for it. */
function wasUnderWay(exchanges: readonly Exchange[], { plan }: Job): boolean {
  const mine = exchanges.filter(({ process }) => process.run === plan.number);
  const created = mine.findLast(({ point, process }) => point === 'check.create' && process.phase === 'main');
  // `post` also lists the check runs with other names, but only to find marks.
  const looked = mine.findLast(
    ({ point, path, process }) =>
      point === 'check.list' && path.includes('check_name=') && process.phase === 'post',
  );
  return (
    created?.arrivedAt !== undefined && created.arrivedAt >= (looked?.arrivedAt ?? Number.POSITIVE_INFINITY)
  );
}
