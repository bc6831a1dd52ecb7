import { randomUUID } from 'node:crypto';
import type { ScanTarget } from './domain/target.ts';
import type { CheckRunIdentity } from './github/check-run.ts';
import type { GitHubEnvironment } from './github/environment.ts';
import type { Inputs } from './inputs.ts';
import { markOf, reuseKey, type ScanParts } from './scan/scan-mark.ts';

/** How this step's traces on GitHub are recognized by the runs that come later. */
export interface StepIdentity {
  /** The check run's `external_id` is the scan's mark; without a scan it only has to be unique. */
  readonly checkRun: (scanId: string | undefined) => CheckRunIdentity;
  /** Names the scan, and proves that a run with this API token launched it; undefined without a scan. */
  readonly mark: (scanId: string | undefined) => string | undefined;
}

export function createStepIdentity(
  { runId, runAttempt, runUrl }: Pick<GitHubEnvironment, 'runId' | 'runAttempt' | 'runUrl'>,
  { apiToken, checkName }: Pick<Inputs, 'apiToken' | 'checkName'>,
  { target, parts }: { readonly target: ScanTarget; readonly parts?: ScanParts | undefined },
): StepIdentity {
  const mark: StepIdentity['mark'] = (scanId) =>
    scanId === undefined || parts === undefined ? undefined : markOf(scanId, reuseKey(parts), apiToken);
  return {
    mark,
    checkRun: (scanId) => ({
      name: checkName,
      headSha: target.headSha,
      detailsUrl: runUrl,
      externalId: mark(scanId) ?? `run:${runId}:${runAttempt}:${randomUUID()}`,
    }),
  };
}
