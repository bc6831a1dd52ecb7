import type { Outputs } from '../../../src/deliver/outputs.ts';
import { reportFault } from '../../support/report-schema.ts';
import { findCostFaults } from './cost-fault.ts';
import { countException, type ExceptionCounts } from './exceptions.ts';
import { findForeignCancels } from './foreign-cancels.ts';
import type { Job } from './job.ts';
import { judgeLaunch } from './launch-fault.ts';
import { findLeaks } from './leaks.ts';
import { findLeftOnGitHub } from './left-on-github.ts';
import { findOverruns } from './overruns.ts';
import type { SimulatedHistory } from './simulated-history.ts';
import { findStrangerFaults } from './strangers-fault.ts';
import { findVerdictFaults } from './verdict-fault.ts';

export interface Counts {
  histories: number;
  runs: number;
  requests: number;
  launches: number;
  /** The number of runs that ended with exit code 0. */
  greens: number;
  doubleLaunches: number;
  falseGreens: number;
  lostFindings: number;
  doubledFindings: number;
  /** The number of scans that were left running. Documented exceptions do not count. */
  orphans: number;
  /** The number of verdicts that use a scan of a stranger. Documented exceptions do not count. */
  strangersBelieved: number;
  /** The number of scans of strangers that a run cancelled. Documented exceptions do not count. */
  strangersCancelled: number;
  /** The number of scans of other runs that a run cancelled, but was not allowed to cancel. */
  othersCancelled: number;
  /** The number of scans of lost launches that runs found and cancelled. */
  launchesCancelled: number;
  /** The number of runs that ended with the reason `launch-unknown`. */
  launchesUnknown: number;
  verdicts: number;
  /** How many times each documented exception to a promise applied. */
  readonly exceptions: ExceptionCounts;
}

export function noCounts(): Counts {
  return {
    histories: 0,
    runs: 0,
    requests: 0,
    launches: 0,
    greens: 0,
    doubleLaunches: 0,
    falseGreens: 0,
    lostFindings: 0,
    doubledFindings: 0,
    orphans: 0,
    strangersBelieved: 0,
    strangersCancelled: 0,
    othersCancelled: 0,
    launchesCancelled: 0,
    launchesUnknown: 0,
    verdicts: 0,
    exceptions: {},
  };
}

/**
 * Checks a history against everything that is promised, and adds the results to `counts`.
 * @returns the broken promises, in words
 */
export function judgeHistory(
  simulated: SimulatedHistory,
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
    if (judgement.exception !== undefined) countException(counts.exceptions, judgement.exception);
    if (judgement.broken === undefined) continue;
    counts.doubleLaunches += 1;
    broken.push(`run ${launch.process.run} launched ${launch.scanId} ${judgement.broken}`);
  }
  for (const job of simulated.jobs) {
    const verdict = findVerdictFaults(simulated, job);
    counts.falseGreens += Number(verdict.falseGreen);
    counts.lostFindings += verdict.lost;
    counts.doubledFindings += verdict.doubled;
    counts.verdicts += Number(job.exitCode !== undefined);
    if (verdict.exception !== undefined) countException(counts.exceptions, verdict.exception);
    counts.greens += Number(job.exitCode === 0);
    const faults = [
      ...verdict.broken,
      ...findContradictions(simulated, job),
      ...findOverruns(simulated, job),
      ...findCostFaults(simulated, job),
    ];
    broken.push(...faults.map((fault) => `run ${job.plan.number}: ${fault}`));
  }
  const strangers = findStrangerFaults(simulated);
  counts.strangersBelieved += strangers.believed.length;
  counts.strangersCancelled += strangers.cancelled.length;
  const foreign = findForeignCancels(simulated);
  counts.othersCancelled += foreign.broken.length;
  broken.push(...strangers.believed, ...strangers.cancelled, ...foreign.broken);
  for (const { log, outputs } of simulated.jobs) {
    const isLost = log.some((line) => line.startsWith('Could not confirm the launch of'));
    counts.launchesCancelled += Number(isLost && log.some((line) => line.startsWith('Cancelled scan')));
    counts.launchesUnknown += Number(outputs?.reason === 'launch-unknown');
  }
  const left = findLeaks(simulated);
  counts.orphans += left.orphans.length;
  for (const kind of [...strangers.exceptions, ...foreign.exceptions, ...left.exceptions])
    countException(counts.exceptions, kind);
  broken.push(...left.orphans, ...findLeftOnGitHub(simulated));
  for (const [where, text] of writings(simulated)) {
    if (secrets.some((secret) => text.includes(secret))) broken.push(`a token can be read in ${where}`);
  }
  return broken;
}

/** Checks that the exit code, the outcome and the JSON report agree. */
function findContradictions({ last, environment }: SimulatedHistory, job: Job): string[] {
  const { outputs, exitCode, crash } = job;
  const broken: string[] = [];
  if (crash !== undefined) broken.push(`threw ${crash instanceof Error ? crash.stack : String(crash)}`);
  if (exitCode === undefined) return broken;
  if (outputs === undefined) broken.push('ended without outputs');
  if (outputs !== undefined) broken.push(...findReportFaults(outputs, job.report));
  const { outcome, reason } = outputs ?? {};
  const isUnscanned = reason === 'paths';
  const green = outcome === 'passed' || outcome === 'unchanged' || isUnscanned;
  // If nothing has to be scanned, a cancelled job may pass or fail.
  const mayBeEither = isUnscanned && job.signalledAt !== undefined;
  if ((exitCode === 0) !== green && !mayBeEither)
    broken.push(`exit code ${exitCode}, outcome ${outputs?.outcome}`);
  if (outputs?.outcome === 'unchanged' && environment.branchHead() !== job.plan.headSha && job === last)
    broken.push('reports another head');
  const calm = outcome === 'blocked' || green;
  if (job === last && !calm) broken.push(`undisturbed, but it is ${outputs?.outcome} (${outputs?.reason})`);
  return broken;
}

/** Checks that the JSON report follows its schema, and says what the outputs say. */
function findReportFaults({ outcome, reason }: Outputs, text: string | undefined): string[] {
  if (text === undefined) return ['ended without a JSON report'];
  const report = JSON.parse(text);
  const fault = reportFault(report);
  const isSame = report.outcome === outcome && (report.reason ?? '') === reason;
  return [
    ...(fault === undefined ? [] : [`the JSON report has a fault: ${fault}`]),
    ...(isSame ? [] : [`the JSON report says ${report.outcome} (${report.reason})`]),
  ];
}

/** Everything that the jobs wrote, to any output. */
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
