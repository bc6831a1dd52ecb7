import { findFalseVerdict } from './findings-fault.ts';
import type { Job } from './job.ts';
import { judgeLaunch } from './launch-fault.ts';
import { findLeaks } from './leaks.ts';
import { findOverruns } from './overruns.ts';
import type { SimulatedHistory } from './simulated-history.ts';

export interface Counts {
  histories: number;
  runs: number;
  requests: number;
  launches: number;
  doubleLaunches: number;
  /** Launched beside a scan of the same change that nothing on GitHub showed. */
  unseenTwins: number;
  falseGreens: number;
  lostFindings: number;
  doubledFindings: number;
  /** Still running when everything was over, without a word that says so, and without a machine that was lost. */
  orphans: number;
  /** Left running by a lost machine, or with a warning in the log. */
  leftRunning: number;
  /** Verdicts by a scan that another user launched. */
  othersBelieved: number;
  /** Scans that another user launched, and that a run cancelled. */
  othersCancelled: number;
  /** Likewise, in the moment of a lost launch, where the service hides how they differ: the gap that is documented. */
  lookalikesCancelled: number;
  /** Launches without an answer, whose scan was proven, and whose was not. */
  launchesRecovered: number;
  launchesUnknown: number;
  verdicts: number;
}

export function noCounts(): Counts {
  return {
    histories: 0,
    runs: 0,
    requests: 0,
    launches: 0,
    doubleLaunches: 0,
    unseenTwins: 0,
    falseGreens: 0,
    lostFindings: 0,
    doubledFindings: 0,
    orphans: 0,
    leftRunning: 0,
    othersBelieved: 0,
    othersCancelled: 0,
    lookalikesCancelled: 0,
    launchesRecovered: 0,
    launchesUnknown: 0,
    verdicts: 0,
  };
}

/** Holds a history against everything that is promised. @returns what is broken, in words; counted in `counts` */
export function judgeHistory(
  simulated: SimulatedHistory,
  mergeBase: string,
  secrets: readonly string[],
  counts: Counts,
): string[] {
  const broken: string[] = [];
  counts.histories += 1;
  counts.runs += simulated.jobs.length;
  counts.requests += simulated.exchanges.length;
  counts.launches += simulated.launches.length;
  for (const launch of simulated.launches) {
    const judgement = judgeLaunch(simulated, launch);
    counts.unseenTwins += Number(judgement.unseenTwin);
    if (!judgement.twiceInOneRun && !judgement.againstBetterKnowledge) continue;
    counts.doubleLaunches += 1;
    broken.push(`run ${launch.process.run} launched ${launch.scanId} ${JSON.stringify(judgement)}`);
  }
  for (const job of simulated.jobs) {
    const verdict = findFalseVerdict(simulated, job, mergeBase);
    counts.falseGreens += Number(verdict.falseGreen);
    counts.lostFindings += verdict.lost;
    counts.doubledFindings += verdict.doubled;
    counts.verdicts += Number(job.exitCode !== undefined);
    const faults = [
      ...verdict.broken,
      ...findContradictions(simulated, job),
      ...findOverruns(simulated, job),
    ];
    broken.push(...faults.map((fault) => `run ${job.plan.number}: ${fault}`));
  }
  const others = findOthers(simulated);
  counts.othersBelieved += others.believed.length;
  counts.othersCancelled += others.cancelled.length;
  counts.lookalikesCancelled += others.lookalikes;
  broken.push(...others.believed, ...others.cancelled);
  for (const { log, outputs } of simulated.jobs) {
    counts.launchesRecovered += Number(log.some((line) => line.startsWith('Recovered the launch of')));
    counts.launchesUnknown += Number(outputs?.reason === 'launch-unknown');
  }
  const left = findLeaks(simulated);
  counts.orphans += left.orphans.length;
  counts.leftRunning += left.excused;
  broken.push(...left.orphans, ...left.broken);
  for (const [where, text] of writings(simulated)) {
    if (secrets.some((secret) => text.includes(secret))) broken.push(`a token can be read in ${where}`);
  }
  return broken;
}

/** The scans of another user that a run believed or cancelled. */
function findOthers(simulated: SimulatedHistory) {
  const { jobs, exchanges, otherUserScans } = simulated;
  const ofOthers = (text: string) => [...otherUserScans].filter((id) => text.includes(id));
  const believed = jobs.flatMap(({ plan, outputs }) =>
    outputs?.outcome === 'passed' || outputs?.outcome === 'blocked'
      ? ofOthers(outputs['scan-id']).map((id) => `run ${plan.number} believed ${id} of another user`)
      : [],
  );
  const taken = exchanges.flatMap(({ process, point, path }) =>
    point === 'scans.cancel' ? ofOthers(path).map((id) => ({ run: process.run, id })) : [],
  );
  const cancelled = taken.filter(({ run, id }) => !isLookalike(simulated, run, id));
  return {
    believed,
    cancelled: cancelled.map(({ run, id }) => `run ${run} cancelled ${id} of another user`),
    lookalikes: taken.length - cancelled.length,
  };
}

/** Launched in the moment of a launch of this run that was not answered, and nothing that is shown of it differs. */
function isLookalike({ history, exchanges }: SimulatedHistory, run: number, scanId: string): boolean {
  const ofRun = exchanges.filter(({ process }) => process.run === run);
  const lost = ofRun.findIndex(
    ({ point, fault, answer }) => point === 'scans.launch' && (fault !== undefined || answer?.status !== 202),
  );
  const before = ofRun
    .slice(0, lost)
    .findLast(({ point, answer }) => point === 'scans.list' && answer?.status === 200);
  return (
    history.hidesScope &&
    lost >= 0 &&
    before !== undefined &&
    !JSON.stringify(before.answer?.body).includes(scanId)
  );
}

/** Exit code, outcome and what is on GitHub have to say the same. */
function findContradictions({ last, environment }: SimulatedHistory, job: Job): string[] {
  const { outputs, exitCode, crash } = job;
  const broken: string[] = [];
  if (crash !== undefined) broken.push(`threw ${crash instanceof Error ? crash.stack : String(crash)}`);
  if (exitCode === undefined) return broken;
  if (outputs === undefined) broken.push('ended without outputs');
  const green = outputs?.outcome === 'passed' || outputs?.outcome === 'unchanged';
  if ((exitCode === 0) !== green) broken.push(`exit code ${exitCode}, outcome ${outputs?.outcome}`);
  if (outputs?.outcome === 'unchanged' && environment.headSha() !== job.plan.headSha && job === last)
    broken.push('reports another head');
  const calm = ['passed', 'blocked', 'unchanged'];
  if (job === last && !calm.includes(outputs?.outcome ?? ''))
    broken.push(`undisturbed, but it is ${outputs?.outcome} (${outputs?.reason})`);
  return broken;
}

/** Everything that was written anywhere. */
function writings({ jobs, environment }: SimulatedHistory): (readonly [where: string, text: string])[] {
  return [
    ...jobs.flatMap((job) => {
      const name = `run ${job.plan.number}`;
      return [
        [`the log of ${name}`, job.log.join('\n')],
        [`the outputs of ${name}`, JSON.stringify(job.outputs ?? {})],
        [`the state of ${name}`, [...job.state.values()].join('\n')],
        [`the summary of ${name}`, job.summary],
        [`the report of ${name}`, job.report ?? ''],
      ] as const;
    }),
    ['the comments', JSON.stringify(environment.github.comments.all)],
    ['the check runs', JSON.stringify(environment.github.checkRuns.all)],
  ];
}
