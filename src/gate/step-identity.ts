import { randomUUID } from 'node:crypto';
import type { Seal } from '../domain/seal.ts';
import type { CheckRunIdentity } from '../github/check-run.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { type DatedScan, encodeMark, LONGEST_EXTERNAL_ID, type ScanMark } from '../scan/scan-mark.ts';

/** What a mark says about the scan of this run's change. */
export type MarkFields = Pick<ScanMark, 'pullRequest' | 'headSha' | 'baseSha' | 'key' | 'contentKey'>;

/** How later runs recognize what this step leaves on GitHub. */
export interface StepIdentity {
  /** The check run's `external_id` is the scan's mark; without a scan, or with a mark that is too long, it is unique. */
  readonly checkRun: (scan: Partial<DatedScan>) => CheckRunIdentity;
  /** Undefined without a scan. */
  readonly mark: (scan: Partial<DatedScan>) => string | undefined;
}

export function createStepIdentity(
  { runId, runAttempt, runUrl }: Pick<GitHubEnvironment, 'runId' | 'runAttempt' | 'runUrl'>,
  { seal, checkName }: { readonly seal: Seal; readonly checkName: string },
  headSha: string,
  fields: MarkFields | undefined,
): StepIdentity {
  const unique = `run:${runId}:${runAttempt}:${randomUUID()}`;
  const mark: StepIdentity['mark'] = ({ scanId, launchedAt }) =>
    scanId === undefined || launchedAt === undefined || fields === undefined
      ? undefined
      : encodeMark({ ...fields, scanId, launchedAt, runId, runAttempt }, seal);
  return {
    mark,
    checkRun: (scan) => {
      const marked = mark(scan);
      const fits = marked !== undefined && marked.length <= LONGEST_EXTERNAL_ID;
      return { name: checkName, headSha, detailsUrl: runUrl, externalId: fits ? marked : unique };
    },
  };
}
