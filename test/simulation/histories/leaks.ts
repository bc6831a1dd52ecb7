import { isTerminal } from '../../../sandbox/scan-service/scan-status.ts';
import { PULL_REQUEST } from './environment.ts';
import type { ExceptionKind, Judgement } from './exceptions.ts';
import type { Job } from './job.ts';
import { commentedHeads } from './left-on-github.ts';
import { firstMarkedAt } from './marks-on-github.ts';
import { disturbed } from './network.ts';
import type { Launch, SimulatedHistory } from './simulated-history.ts';

const OF_SCAN = [
  'scans.launch',
  'scans.list',
  'scans.read',
  'scans.cancel',
  'token',
  'repositories',
  'presets',
];

/** Finds the scans that were left running, although a run should have ended them. */
export function findLeaks(simulated: SimulatedHistory): Judgement {
  const { launches, environment, beforeFinalRun } = simulated;
  const running = environment.service.scans.filter(({ status }) => !isTerminal(status));
  // Scans that ran before the last run count too, because the last run ends some scans that earlier runs left.
  const left = new Set([...beforeFinalRun.running, ...running.map(({ id }) => id)]);
  const exceptions: ExceptionKind[] = [];
  const orphans = launches.flatMap((launch) => {
    if (!left.has(launch.scanId)) return [];
    const excuse = excuseOf(simulated, launch);
    if (excuse.kind === 'excused') exceptions.push(excuse.exception);
    return excuse.kind === 'excused' ? [] : [`${launch.scanId} was left running: ${excuse.why}`];
  });
  return { broken: [...orphans, ...unfound(simulated), ...forgotten(simulated)], exceptions };
}

type Excuse =
  | { readonly kind: 'excused'; readonly exception: ExceptionKind }
  | { readonly kind: 'none'; readonly why: string };

/**
 * The reason why a scan of ours may be left running. The log has to report such a scan. There are two exceptions: the
 * machine was lost, or the service answered the launch with the id of another scan.
 */
function excuseOf(simulated: SimulatedHistory, launch: Launch): Excuse {
  const { jobs, exchanges, history } = simulated;
  const { scanId } = launch;
  const job = jobs[launch.process.run];
  if (job === undefined) throw new Error('there is no such job');
  if (job.lost) return { kind: 'excused', exception: 'machine lost' };
  const answer = exchanges.find(
    ({ process, point, sentAt }) =>
      process === launch.process && point === 'scans.launch' && sentAt === launch.sentAt,
  );
  if (answer?.fault === 'older id') return { kind: 'excused', exception: 'wrong id' };
  const reported = job.log.some(
    (line) =>
      // A job that is killed while it delivers its report has printed only the verdict.
      (/^(?:error|warning): /.test(line) || line.startsWith('Not scanned: launch not confirmed')) &&
      (line.includes(scanId) ||
        /may have been launched|could (?:not )?confirm the launch|Could not cancel/i.test(line)),
  );
  if (!reported) return { kind: 'none', why: 'nothing reports it' };
  const excused = (exception: ExceptionKind): Excuse => ({ kind: 'excused', exception });
  const others = exchanges.filter((exchange) => exchange !== answer);
  if (disturbed(others, job, 'service', OF_SCAN)) return excused('service failed');
  if (['base', 'commit', 'everything'].includes(history.hides)) return excused('commit or base hidden');
  if (hasCompanion(simulated, launch, job)) return excused('same change launched beside');
  if (disturbed(exchanges, job, 'github', ['check.list', 'comments.list', 'graphql']))
    return excused('marks of others unreadable');
  return { kind: 'none', why: 'it could have been found' };
}

/**
 * Whether the same change got another scan after the job had listed the scans. The last list before the job's launch
 * counts.
 */
function hasCompanion(
  { environment, exchanges }: SimulatedHistory,
  { scanId, sentAt }: Launch,
  job: Job,
): boolean {
  const { scans } = environment.service;
  const scan = scans.find(({ id }) => id === scanId);
  const listedAt = exchanges.findLast(
    ({ process, point, arrivedAt = Number.POSITIVE_INFINITY }) =>
      process.run === job.plan.number && point === 'scans.list' && arrivedAt <= sentAt,
  )?.arrivedAt;
  const known = environment.startedAt + (listedAt ?? 0);
  return scans.some(
    ({ id, commit, baseCommit, createdAt }) =>
      id !== scanId &&
      commit === scan?.commit &&
      baseCommit === scan.baseCommit &&
      createdAt.getTime() >= known,
  );
}

/**
 * The scans that still run, although the last run should have ended or reused them. The last run behaves as follows,
 * because nothing disturbs it:
 *
 * - It cancels a scan that a check run of the previous head names.
 * - It launches no scan if a check run of its own head names a running scan.
 * - It does not cancel a second running scan of its head, because the run that launched that scan may still need it.
 */
function unfound(simulated: SimulatedHistory): string[] {
  const { environment, last, launches, history, jobs } = simulated;
  const { scans } = environment.service;
  const own = launches.find(({ process }) => process.run === last.plan.number)?.scanId;
  const launched = scans.find(({ id }) => id === own);
  const previous =
    history.last === 'push' ? environment.pulls.momentsOf(PULL_REQUEST).at(-2)?.record.headSha : undefined;
  return launches.flatMap((launch) => {
    const scan = scans.find(({ id }) => id === launch.scanId);
    const by = jobs[launch.process.run]?.run;
    if (scan === undefined || isTerminal(scan.status) || by?.pull !== PULL_REQUEST) return [];
    const isBeside =
      by.step === 'whole' && scan.commit === launched?.commit && scan.baseCommit === launched.baseCommit;
    const isShown = environment.github.checkRuns.all.some(
      ({ externalId, headSha }) =>
        headSha === scan.commit && externalId?.startsWith(`v2:${scan.id}:${PULL_REQUEST}:`),
    );
    return isShown && (scan.commit === previous || isBeside)
      ? [`${scan.id} still runs, although a check run shows it to the last run`]
      : [];
  });
}

/**
 * The scans that a run on `reopened` or `edited` should have ended. The payload of these events does not name the
 * previous head. So an undisturbed run ends the scans for the head that our comment names.
 */
function forgotten({ jobs, launches, environment, exchanges, copies, history }: SimulatedHistory): string[] {
  // If a workflow copied comments or overwrote marks, the run may not find the scans. If reads lag, GitHub may not show
  // the run's own head, and then the run ends no scans for other heads.
  if (copies.comments || copies.overwritten.length > 0 || history.githubLagMs > 0) return [];
  const careful = jobs.filter(
    ({ run, plan, outputs, signalledAt }) =>
      (run.action === 'reopened' || run.action === 'edited') &&
      run.step === 'whole' &&
      plan.attempt === 1 &&
      signalledAt === undefined &&
      ['passed', 'blocked', 'unchanged'].includes(outputs?.outcome ?? '') &&
      !exchanges.some(({ process, fault }) => process.run === plan.number && fault !== undefined),
  );
  return careful.flatMap(({ plan, run, mainEndedAt = Number.POSITIVE_INFINITY }) => {
    const read = exchanges.find(({ process, point }) => process.run === plan.number && point === 'graphql');
    const named = commentedHeads([JSON.stringify(read?.answer?.body ?? '')]);
    return launches.flatMap((launch) => {
      const scan = environment.service.scans.find(({ id }) => id === launch.scanId);
      const by = jobs[launch.process.run];
      const isOlder =
        by?.run.pull === run.pull &&
        launch.at < (read?.sentAt ?? 0) &&
        scan !== undefined &&
        scan.commit !== plan.headSha &&
        named.includes(scan.commit) &&
        firstMarkedAt(exchanges, scan.id, scan.commit) < (read?.sentAt ?? 0);
      const ranOn =
        scan?.finishedAt == null || scan.finishedAt.getTime() > environment.startedAt + mainEndedAt;
      return isOlder && ranOn ? [`${launch.scanId} was still running after run ${plan.number}`] : [];
    });
  });
}
