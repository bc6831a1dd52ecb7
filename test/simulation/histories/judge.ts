import type { Outputs } from '../../../src/deliver/outputs.ts';
import { reportFault } from '../../support/report-schema.ts';
import { findCostFaults } from './cost-fault.ts';
import type { ExceptionKind, Judgement } from './exceptions.ts';
import { findForeignCancels } from './foreign-cancels.ts';
import type { Job } from './job.ts';
import { judgeLaunch } from './launch-fault.ts';
import { findLeaks } from './leaks.ts';
import { findLeftOnGitHub } from './left-on-github.ts';
import { findOverruns } from './overruns.ts';
import type { SimulatedHistory } from './simulated-history.ts';
import { findStrangerFaults } from './strangers-fault.ts';
import { findVerdictFaults } from './verdict-fault.ts';

/** What happened in the judged histories. */
export interface Counts {
  histories: number;
  runs: number;
  requests: number;
  launches: number;
  /** The number of runs that ended with exit code 0. */
  greens: number;
  /** The number of scans of lost launches that runs found and cancelled. */
  launchesCancelled: number;
  /** The number of runs that ended with the reason `launch-unknown`. */
  launchesUnknown: number;
  /** How many times each documented exception to a promise applied. */
  readonly exceptions: Partial<Record<ExceptionKind, number>>;
}

export function noCounts(): Counts {
  const none = { histories: 0, runs: 0, requests: 0, launches: 0, greens: 0 };
  return { ...none, launchesCancelled: 0, launchesUnknown: 0, exceptions: {} };
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
  const { jobs, launches, exchanges } = simulated;
  counts.histories += 1;
  counts.runs += jobs.length;
  counts.requests += exchanges.length;
  counts.launches += launches.length;
  for (const { log, outputs, exitCode } of jobs) {
    const isLost = log.some((line) => line.startsWith('Could not confirm the launch of'));
    counts.launchesCancelled += Number(isLost && log.some((line) => line.startsWith('Cancelled scan')));
    counts.launchesUnknown += Number(outputs?.reason === 'launch-unknown');
    counts.greens += Number(exitCode === 0);
  }
  const judgements = [
    ...launches.map((launch) =>
      about(`run ${launch.process.run} launched ${launch.scanId}`, judgeLaunch(simulated, launch)),
    ),
    ...jobs.map((job) => about(`run ${job.plan.number}:`, judgeJob(simulated, job))),
    findStrangerFaults(simulated),
    findForeignCancels(simulated),
    findLeaks(simulated),
  ];
  for (const exception of judgements.flatMap(({ exceptions }) => exceptions))
    counts.exceptions[exception] = (counts.exceptions[exception] ?? 0) + 1;
  const leaked = writings(simulated).filter(([, text]) => secrets.some((secret) => text.includes(secret)));
  return [
    ...judgements.flatMap(({ broken }) => broken),
    ...findLeftOnGitHub(simulated),
    ...leaked.map(([where]) => `a token can be read in ${where}`),
  ];
}

function about(what: string, { broken, exceptions }: Judgement): Judgement {
  return { broken: broken.map((why) => `${what} ${why}`), exceptions };
}

function judgeJob(simulated: SimulatedHistory, job: SimulatedHistory['jobs'][number]): Judgement {
  const { broken, exceptions } = findVerdictFaults(simulated, job);
  const others = [
    ...findContradictions(simulated, job),
    ...findOverruns(simulated, job),
    ...findCostFaults(simulated, job),
  ];
  return { broken: [...broken, ...others], exceptions };
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
