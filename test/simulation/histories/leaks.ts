import { isOver } from './finding-model.ts';
import type { Job } from './job.ts';
import type { Exchange } from './network.ts';
import type { SimulatedHistory } from './simulated-history.ts';

const MARKER = /^<!-- scangate:v1 check=[0-9a-f]{16} head=([0-9a-f]{40,64}) run=\d+ attempt=\d+ -->/;
const OF_COMMENT = [
  'graphql',
  'comments.list',
  'comments.create',
  'comments.update',
  'comments.delete',
  'pulls.read',
];
const OF_CHECK_RUN = ['check.create', 'check.update', 'check.read', 'check.list'];
const OF_SCAN = [
  'scans.launch',
  'scans.list',
  'scans.read',
  'scans.cancel',
  'token',
  'repositories',
  'presets',
];

/** What stays behind, in the service and on GitHub, when everything is over. */
export function findLeaks(simulated: SimulatedHistory): {
  readonly orphans: readonly string[];
  /** Scans that still run, of lost machines, or with a warning in the log. */
  readonly excused: number;
  readonly broken: readonly string[];
} {
  const running = simulated.environment.service.scans.filter(
    (scan) => !isOver(scan) && !simulated.otherUserScans.has(scan.id),
  );
  // Before the last run too, which finds and ends some of what others left.
  const left = new Set(
    [...simulated.beforeFinalRun.running, ...running.map(({ id }) => id)].filter(
      (id) => !simulated.otherUserScans.has(id),
    ),
  );
  const silent = [...left].filter((id) => excuseOf(simulated, id) === undefined);
  return {
    orphans: [
      ...silent.map((id) => `${id} was left running, and not reported`),
      ...unfound(simulated, running),
    ],
    excused: left.size - silent.length,
    broken: [...findComments(simulated), ...findOpenCheckRuns(simulated)],
  };
}

/** Why a scan of ours may be left running; undefined where nothing excuses it. */
function excuseOf({ jobs, launches, exchanges }: SimulatedHistory, scanId: string): string | undefined {
  const launch = launches.find((one) => one.scanId === scanId);
  const job = launch === undefined ? undefined : jobs[launch.process.run];
  if (job === undefined) return undefined;
  if (job.lost) return 'the machine was lost';
  // A cancelled job waits for the answer to its launch for a few seconds only, and a slow one may come later.
  const cut = job.exitCode === undefined || job.signalledAt !== undefined;
  if (!cut && !disturbed(exchanges, job, 'service', OF_SCAN)) return undefined;
  const reported = job.log.some(
    (line) =>
      (line.startsWith('error: ') || line.startsWith('warning: ')) &&
      (line.includes(scanId) || /may have been launched|Could not confirm the launch/.test(line)),
  );
  return reported ? 'it is reported' : undefined;
}

/**
 * The calm run at the end cancels what a check run of the previous head shows, and launches nothing beside what one of
 * its own head shows. A twin beside the reused scan is left alone: the run that launched it may still need it.
 */
function unfound(
  { environment, last, launches, heads, history }: SimulatedHistory,
  running: readonly { id: string; commit: string }[],
): string[] {
  const launched = launches.some(({ process }) => process.run === last.plan.number);
  const near = [
    ...(history.last === 'push' ? [heads.at(-2)?.sha] : []),
    ...(launched ? [last.plan.headSha] : []),
  ];
  return running.flatMap(({ id, commit }) =>
    near.includes(commit) &&
    environment.github.checkRuns.all.some(({ externalId }) => externalId?.startsWith(`v2:${id}:`))
      ? [`${id} still runs, although a check run shows it to the last run`]
      : [],
  );
}

function findComments({
  environment,
  last,
  beforeFinalRun,
  jobs,
  exchanges,
  heads,
}: SimulatedHistory): string[] {
  const broken: string[] = [];
  const own = environment.github.comments.all.flatMap(({ body }) => MARKER.exec(body)?.[1] ?? []);
  if (own.length > 1) broken.push(`${own.length} comments of ours`);
  if (own.some((sha) => sha !== last.plan.headSha)) broken.push('the comment is about another head');
  if (own.length === 0 && Number(last.outputs?.['findings-reported'] ?? 0) > 0)
    broken.push('there is no comment');

  // Before that run too, where no other run was disturbed.
  const before = jobs.filter((job) => job !== last);
  const ownBefore = beforeFinalRun.comments.flatMap((body) => MARKER.exec(body)?.[1] ?? []);
  const undisturbed = before
    .filter((job) => job.exitCode !== undefined && job.signalledAt === undefined)
    // A check run that keeps the report waiting can keep the comment until time is up.
    .filter((job) => !disturbed(exchanges, job, 'github', [...OF_COMMENT, ...OF_CHECK_RUN]));
  if (ownBefore.length > 1 && undisturbed.length === before.length)
    broken.push(`${ownBefore.length} comments before the final run`);
  const ages = heads.filter(({ from }) => from < beforeFinalRun.at).map(({ sha }) => sha);
  const newest = Math.max(
    -1,
    ...undisturbed.map((job) => (job.outputs?.outcome ? ages.lastIndexOf(job.plan.headSha) : -1)),
  );
  const shown = Math.max(-1, ...ownBefore.map((sha) => ages.lastIndexOf(sha)));
  if (undisturbed.length === before.length && ownBefore.length === 1 && shown < newest)
    broken.push('before the final run, the comment was about an older head than the newest that finished');
  return broken;
}

/** Only a lost machine, or a GitHub that did not answer, leaves a check run in progress. */
function findOpenCheckRuns({ environment, jobs, exchanges }: SimulatedHistory): string[] {
  const open = environment.github.checkRuns.all.filter(({ status }) => status !== 'completed');
  const runs = open.flatMap(({ detailsUrl }) => Number(/runs\/(\d+)$/.exec(detailsUrl ?? '')?.[1]));
  return runs.flatMap((runId) => {
    const mine = jobs.filter((job) => job.plan.runId === runId);
    const excused = mine.some(
      (job) => job.lost || disturbed(exchanges, job, 'github', OF_CHECK_RUN) || wasUnderWay(exchanges, job),
    );
    return excused ? [] : [`a check run of run ${mine.map(({ plan }) => plan.number)} is still in progress`];
  });
}

function disturbed(
  exchanges: readonly Exchange[],
  job: Job,
  side: Exchange['side'],
  points: readonly string[],
): boolean {
  return exchanges.some(
    ({ process, fault, ...one }) =>
      process.run === job.plan.number &&
      fault !== undefined &&
      one.side === side &&
      points.includes(one.point),
  );
}

/** The killed process had sent its check run on its way, and it came to GitHub only after `post` had looked. */
function wasUnderWay(exchanges: readonly Exchange[], { plan }: Job): boolean {
  const mine = exchanges.filter(({ process }) => process.run === plan.number);
  const created = mine.findLast(({ point, process }) => point === 'check.create' && process.phase === 'main');
  const looked = mine.findLast(({ point, process }) => point === 'check.list' && process.phase === 'post');
  return (
    created?.arrivedAt !== undefined && created.arrivedAt >= (looked?.arrivedAt ?? Number.POSITIVE_INFINITY)
  );
}
