import type { Result } from '../domain/result.ts';
import type { PullRequestCost, Tally } from '../domain/scan.ts';
import type { TargetPullRequest } from '../domain/target.ts';
import type { GitHubError } from '../github/errors.ts';
import type { ScanResult } from './result.ts';
import { lostLaunch, type ScanMark } from './scan-mark.ts';

type CostMark = Pick<ScanMark, 'scanId' | 'pullRequest' | 'credits' | 'scans'> & {
  /** The check run that holds the mark. Undefined if it is not known. */
  readonly checkRun?: { readonly id: number } | undefined;
};

/** The proven marks in the check runs of one commit. */
export type Listed<Mark extends CostMark> = Result<readonly Mark[], GitHubError> & {
  /** The external ids of all check runs on the commit. Undefined if not all were read. */
  readonly externalIds?: readonly string[];
};

/**
 * True if the marks hold the total cost of all earlier runs. This run can then continue the total. Pure.
 *
 * The first attempt after the pull request was opened has no earlier runs. In every other case, a check run has to hold
 * a mark of this pull request. For the first attempt after a push, this check run is on the head before the push.
 * Otherwise, it is on this head. Our comment is no proof, because a run does not rewrite the comment if the result
 * stays the same.
 *
 * False if a check run says that a job lost the answer to its launch, or if the check runs of the head were not read.
 * @param ofOlder the marks of the head before the push, or of the newest other head that our comment names
 */
export function followsChain(
  runAttempt: number,
  pullRequest: TargetPullRequest | undefined,
  ofHead: Listed<CostMark>,
  ofOlder: Listed<CostMark> | undefined,
): boolean {
  const lost = lostLaunch(pullRequest?.number);
  const isLost = [ofHead, ofOlder].some((listed) => listed?.externalIds?.some((id) => id.startsWith(lost)));
  if (ofHead.externalIds === undefined || isLost) return false;
  const isFirst = runAttempt === 1;
  if (isFirst && pullRequest?.isNew === true) return true;
  const before = isFirst && pullRequest?.previousHead !== undefined ? ofOlder : ofHead;
  return before?.ok === true && before.value.some((mark) => mark.pullRequest === pullRequest?.number);
}

/**
 * Returns what a pull request has cost before this run. Each mark holds the total at its time, so the largest total
 * counts. Pure.
 * @param marks all marks that the run has read
 * @param isWhole false if the run may not have read all marks of this pull request
 */
export function costSoFar(
  marks: readonly CostMark[],
  pullRequest: number,
  isWhole: boolean,
): PullRequestCost {
  const own = marks.filter((mark) => mark.pullRequest === pullRequest);
  const largest = (tallies: readonly (Tally | undefined)[]): Tally => ({
    count: Math.max(0, ...tallies.map((tally) => tally?.count ?? 0)),
    atLeast: !isWhole || tallies.some((tally) => tally?.atLeast !== false),
  });
  return {
    credits: largest(own.map(({ credits }) => credits)),
    scans: largest(own.map(({ scans }) => scans)),
  };
}

/** Adds up the cost of a pull request while a run launches scans and sees those of other jobs. */
export interface CostLedger {
  /**
   * Counts a launch of this run.
   * @param credits undefined if the service chooses the budget
   * @returns the total for the mark of this launch; undefined if the event is not about a pull request. The total is a
   * lower bound, because another job may launch at the same time.
   */
  readonly launched: (scanId: string, credits: number | undefined) => PullRequestCost | undefined;
  /** Removes a launch from the total. Called if the service does not know the scan that the launch answer named. */
  readonly notLaunched: (scanId: string) => void;
  /**
   * Records that there may be a scan that the total lacks. There are three cases:
   * - The service accepted a launch, but answered with a scan from before the launch.
   * - The pull request has changed, so another run may have launched a scan.
   * - Only a comment names a scan of another job.
   */
  readonly mayHaveLaunched: () => void;
  /** Counts the launches of other jobs. @param marks the current marks of the head */
  readonly saw: (marks: readonly CostMark[]) => void;
  /** Returns the total at the end of the run. Undefined if the event is not about a pull request. */
  readonly total: (
    result: Pick<ScanResult, 'scanId' | 'creditsReserved' | 'launchLost'>,
  ) => PullRequestCost | undefined;
}

/**
 * @param before the cost before this run; undefined if the event is not about a pull request
 * @param earlier the marks that `before` includes
 */
export function createCostLedger(
  before: PullRequestCost | undefined,
  pullRequest: number | undefined,
  earlier: readonly CostMark[],
): CostLedger {
  const counted = new Set(earlier.map(({ scanId }) => scanId));
  /** The ids of the check runs that hold the counted marks. */
  const checkRuns = new Set(earlier.flatMap(({ checkRun }) => checkRun?.id ?? []));
  /**
   * The credits of each launch that `before` does not include. The key is the id of the scan. Launches of other runs
   * count too.
   */
  const launches = new Map<string, number | undefined>();
  /** The ids of scans that the service did not know. */
  const unknown = new Set<string>();
  let isSure = true;
  let hasLooked = true;
  const sum = (): PullRequestCost | undefined => {
    if (before === undefined) return undefined;
    const reserved = [...launches.values()];
    const isOpen = !isSure || !hasLooked;
    return {
      credits: {
        count: reserved.reduce<number>((total, credits) => total + (credits ?? 0), before.credits.count),
        atLeast: before.credits.atLeast || isOpen || reserved.includes(undefined),
      },
      scans: { count: before.scans.count + launches.size, atLeast: before.scans.atLeast || isOpen },
    };
  };
  return {
    launched: (scanId, credits) => {
      launches.set(scanId, credits);
      // Two jobs that start at the same time see each other only after both have launched. So the total is a lower
      // bound until `saw` gets the marks again.
      hasLooked = false;
      return sum();
    },
    notLaunched: (scanId) => {
      launches.delete(scanId);
      unknown.add(scanId);
    },
    mayHaveLaunched: () => {
      isSure = false;
    },
    saw: (marks) => {
      hasLooked = true;
      if (before === undefined) return;
      const own = marks.filter((mark) => mark.pullRequest === pullRequest);
      for (const mark of own) {
        const { scanId, scans, credits } = mark;
        if (counted.has(scanId) || launches.has(scanId)) continue;
        // The service did not know this scan before. Now a mark names the scan, so it may exist.
        if (unknown.has(scanId)) {
          isSure = false;
          continue;
        }
        const further = scans && scans.count - before.scans.count;
        // If a mark counts no more scans than `before`, its job reused a scan. If the count is a lower bound, that job
        // may also have launched a scan.
        if (further !== undefined && further <= 0) {
          if (scans?.atLeast) isSure = false;
          continue;
        }
        // A step replaces the mark in its check run if the service does not know the scan in it, or if it launches again.
        if (mark.checkRun !== undefined && checkRuns.has(mark.checkRun.id)) {
          isSure = false;
          continue;
        }
        // If the mark counts one scan more than `before`, this additional scan reserved the difference of the credits.
        // If the credits are equal, the job did not know yet how many credits its scan reserves.
        const difference = further === 1 && credits ? credits.count - before.credits.count : 0;
        launches.set(scanId, difference > 0 ? difference : undefined);
        if (mark.checkRun !== undefined) checkRuns.add(mark.checkRun.id);
        if (further !== 1) isSure = false;
      }
      // A job may cancel its scan and follow the scan of another job. Its mark names only the followed scan, but counts
      // the cost of both.
      const known = before.scans.count + launches.size;
      if (own.some(({ scans }) => scans !== undefined && scans.count > known)) isSure = false;
    },
    total: ({ scanId, creditsReserved, launchLost }) => {
      if (launchLost) isSure = false;
      // For a scan that was reused, `creditsReserved` is 0. For a scan that was cancelled, it can be 0 or undefined.
      // None of these values is what the launch reserved.
      if (scanId !== undefined && creditsReserved && launches.has(scanId)) {
        launches.set(scanId, creditsReserved);
      }
      return sum();
    },
  };
}
