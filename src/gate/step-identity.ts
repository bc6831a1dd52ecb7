import { randomUUID } from 'node:crypto';
import type { PullRequestCost } from '../domain/pull-request-cost.ts';
import type { Seal } from '../domain/seal.ts';
import type { CheckRunIdentity } from '../github/check-run.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import {
  type DatedScan,
  encodeMark,
  LONGEST_EXTERNAL_ID,
  lostLaunch,
  readMark,
  type ScanMark,
} from '../scan/scan-mark.ts';

/** What a mark says about the scan of this run's change. */
export type MarkFields = Pick<ScanMark, 'pullRequest' | 'headSha' | 'baseSha' | 'key' | 'contentKey'>;

/** The scan to mark, and what the pull request has cost including this scan. */
export interface ScanToMark extends Partial<DatedScan> {
  readonly cost?: PullRequestCost | undefined;
  readonly launchLost?: boolean;
}

/** How later runs recognize what this step leaves on GitHub. */
export interface StepIdentity {
  /**
   * The check run's `external_id`: the scan's mark, without the cost if it would be too long. Without a scan, or if the
   * mark is still too long, it is unique to the step, and shows whether a launch was lost.
   */
  readonly checkRun: (scan: ScanToMark) => CheckRunIdentity;
  /** Undefined without a scan. */
  readonly mark: (scan: ScanToMark) => string | undefined;
  /** True if this step began its check run for the scan with this `external_id`, whatever the cost was then. */
  readonly isStarted: (externalId: string, scan: ScanToMark) => boolean;
}

export function createStepIdentity(
  { runId, runAttempt, runUrl }: Pick<GitHubEnvironment, 'runId' | 'runAttempt' | 'runUrl'>,
  { seal, checkName }: { readonly seal: Seal; readonly checkName: string },
  headSha: string,
  fields: MarkFields | undefined,
): StepIdentity {
  const unique = `${runId}:${runAttempt}:${randomUUID()}`;
  const mark: StepIdentity['mark'] = ({ scanId, launchedAt, cost }) =>
    scanId === undefined || launchedAt === undefined || fields === undefined
      ? undefined
      : encodeMark({ ...fields, ...cost, scanId, launchedAt, runId, runAttempt }, seal);
  const externalIdOf = (scan: ScanToMark) =>
    [mark(scan), mark({ ...scan, cost: undefined })].find(
      (text) => text !== undefined && text.length <= LONGEST_EXTERNAL_ID,
    ) ?? (scan.launchLost ? lostLaunch(fields?.pullRequest) : 'run:') + unique;
  return {
    mark,
    checkRun: (scan) => ({ name: checkName, headSha, detailsUrl: runUrl, externalId: externalIdOf(scan) }),
    isStarted: (externalId, scan) => {
      const mark = readMark(externalId, seal);
      if (mark === undefined) return externalId === externalIdOf(scan);
      return mark.scanId === scan.scanId && mark.runId === runId && mark.runAttempt === runAttempt;
    },
  };
}
