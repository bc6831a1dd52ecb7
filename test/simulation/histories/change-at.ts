import { mergeBaseName } from './fixture-repository.ts';
import type { Exchange } from './network.ts';
import type { PullRequestMoment } from './pull-requests.ts';
import type { SimulatedHistory } from './simulated-history.ts';
import type { WorkflowJob } from './workflow.ts';

/** How long a verdict may rely on what the run last learned about the pull request. */
const KNOWN_SERVES_MS = 15 * 60_000;
/**
 * The longest time from the run's last read of the pull request to the end of the run, if no request of the check run
 * or the comment fails after that read.
 */
const REPORT_MS = 60_000;

/** A state of a pull request that a verdict may describe. */
export interface ValidMoment {
  /**
   * The names of the merge bases of the head and the base branch. There is one name for each tip that the base branch
   * had during the run.
   */
  readonly bases: readonly string[];
  readonly isOpen: boolean;
  /** Whether the pull request was open in this state, or at any time since the run's first read. */
  readonly wasOpen: boolean;
}

/**
 * The states of the pull request that the verdict of a job may describe. In each of them, the pull request has the
 * job's head. No state is older than the newest of these:
 *
 * - the state that GitHub last showed to the job
 * - on the first attempt, the state in the job's event
 * - the state that GitHub showed a minute before the job ended. It counts only if all of the job's reads of the pull
 *   request succeeded, and all later requests of the check run and the comment.
 * @param last if false, the states may be as old as the first state that GitHub showed to the job. If GitHub showed no
 * state at the start, they may be as old as the state in the event.
 */
export function validMoments(
  simulated: SimulatedHistory,
  job: WorkflowJob,
  last: boolean,
): readonly ValidMoment[] {
  const { commits, environment, exchanges } = simulated;
  const { plan, run, startedAt, mainEndedAt: end = startedAt } = job;
  const moments = environment.pulls.momentsOf(run.pull);
  const shownAt = (at: number) => moments.findLastIndex(({ shownFrom }) => shownFrom <= at);
  const sent = exchanges.filter(({ process }) => process.run === plan.number && process.phase === 'main');
  const asked = sent.filter(readsPull);
  const reads = asked.filter(wasAnswered);
  const ofEvent = plan.attempt === 1 ? run.moments - 1 : -1;
  const shown = reads.map(({ arrivedAt = 0 }) => shownAt(arrivedAt));
  const lastReadAt = reads.at(-1)?.sentAt ?? 0;
  const isUndisturbed =
    asked.length === reads.length &&
    !sent.some(
      ({ point, fault, sentAt }) =>
        /^(check|comments)\./.test(point) && fault !== undefined && sentAt > lastReadAt,
    );
  const undisturbed = isUndisturbed ? [shownAt(end - REPORT_MS)] : [];
  // If the run could not read the pull request at its start, the state in the event counts.
  const knownFrom = sent.find(({ point }) => point === 'repositories')?.sentAt ?? Number.POSITIVE_INFINITY;
  const usesEvent = ofEvent >= 0 && (reads[0]?.sentAt ?? 0) > knownFrom;
  const began = usesEvent ? ofEvent : Math.max(ofEvent, shown[0] ?? -1);
  const from = last ? Math.max(ofEvent, ...shown, ...undisturbed) : began;
  const knownAt = Math.max(
    ofEvent < 0 ? Number.NEGATIVE_INFINITY : (moments[ofEvent]?.from ?? 0),
    ...reads.map(({ arrivedAt = 0 }) => arrivedAt),
  );
  if (began < 0 || end - knownAt > KNOWN_SERVES_MS + REPORT_MS) return [];
  return moments.flatMap((moment, index) =>
    index < from || moment.from > end || moment.record.headSha !== plan.headSha
      ? []
      : [
          {
            bases: basesOf(moment, startedAt, end),
            isOpen: isOpen(moment),
            wasOpen: moments.slice(began, index + 1).some(isOpen),
          },
        ],
  );

  function basesOf({ record }: PullRequestMoment, since: number, until: number): readonly string[] {
    const tips = environment.pulls.tipsOf(record.baseRef);
    // The git server of the histories always has the first tip of each branch.
    const isFromGit = job.log.some((line) => line.includes('merge base, from git)'));
    return tips.flatMap(({ from: at, tip }, index) => {
      const isOver = !isFromGit && (tips[index + 1]?.from ?? Number.POSITIVE_INFINITY) < since;
      if (tip === undefined || at > until || isOver) return [];
      return [mergeBaseName(nameOf(commits, tip), nameOf(commits, record.headSha))];
    });
  }
}

export function nameOf(commits: SimulatedHistory['commits'], sha: string | null): string {
  const name = commits.get(sha ?? '');
  if (name === undefined) throw new Error(`there is no commit ${sha}`);
  return name;
}

function isOpen({ record }: PullRequestMoment): boolean {
  return record.state === 'open';
}

/** True if GitHub's last answer about the pull request before the job's launch at `sentAt` showed a newer head. */
export function wasShownReplaced(simulated: SimulatedHistory, job: WorkflowJob, sentAt: number): boolean {
  const { plan, run } = job;
  const moments = simulated.environment.pulls.momentsOf(run.pull);
  const read = simulated.exchanges.findLast(
    (exchange) =>
      exchange.process.run === plan.number &&
      readsPull(exchange) &&
      wasAnswered(exchange) &&
      (exchange.endedAt ?? sentAt) < sentAt,
  );
  if (read?.arrivedAt === undefined) return false;
  const { arrivedAt } = read;
  const shown = moments.findLastIndex(({ shownFrom }) => shownFrom <= arrivedAt);
  return shown >= run.moments && moments[shown]?.record.headSha !== plan.headSha;
}

export function readsPull({ side, point, text }: Exchange): boolean {
  return (
    side === 'github' && (point === 'pulls.read' || (point === 'graphql' && text.includes('headRefOid')))
  );
}

function wasAnswered({ fault, answer, received }: Exchange): boolean {
  return (fault === undefined || fault === 'no base') && answer?.status === 200 && received;
}
