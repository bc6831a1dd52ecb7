import { randomUUID } from 'node:crypto';
import type { ScanFacts } from '../domain/scan.ts';
import type { Seal } from '../domain/seal.ts';
import type { CheckRunIdentity } from '../github/check-run.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { encodeMark, LONGEST_EXTERNAL_ID, readMark, type ScanMark } from './scan-mark.ts';

/** The fields of a mark that describe the change and not the scan. */
export type MarkFields = Pick<
  ScanMark,
  'pullRequest' | 'headSha' | 'baseSha' | 'key' | 'contentKey' | 'reusesNone'
>;

/** A scan, if there is one. `creditsPullRequest` is what the pull request has cost, with this scan. */
export interface ScanToMark extends Pick<ScanFacts, 'scanId' | 'creditsPullRequest'> {
  readonly launchedAt?: number;
}

/** The texts by which later runs recognize the check run and the comment of this step. */
export interface StepIdentity {
  /**
   * The identity of the check run. Its `external_id` is the first of these texts that is short enough:
   * - the mark of the scan
   * - the mark without the cost
   * - a text that only this step uses
   *
   * If there is no scan, the `external_id` is the last text.
   */
  readonly checkRun: (scan: ScanToMark) => CheckRunIdentity;
  /** The mark of the scan; undefined without a scan. */
  readonly mark: (scan: ScanToMark) => string | undefined;
  /** True if this step started the check run with this `external_id` for this scan. Ignores the cost in the mark. */
  readonly isStarted: (externalId: string, scan: ScanToMark) => boolean;
}

export function createStepIdentity(
  { runId, runAttempt, runUrl }: Pick<GitHubEnvironment, 'runId' | 'runAttempt' | 'runUrl'>,
  { seal, checkName }: { readonly seal: Seal; readonly checkName: string },
  headSha: string,
  fields: MarkFields | undefined,
): StepIdentity {
  const unique = `${runId}:${runAttempt}:${randomUUID()}`;
  const mark: StepIdentity['mark'] = ({ scanId, launchedAt, creditsPullRequest: credits }) =>
    scanId === undefined || launchedAt === undefined || fields === undefined
      ? undefined
      : encodeMark({ ...fields, credits, scanId, launchedAt, runId, runAttempt }, seal);
  const externalIdOf = (scan: ScanToMark) =>
    [mark(scan), mark({ ...scan, creditsPullRequest: undefined })].find(
      (text) => text !== undefined && text.length <= LONGEST_EXTERNAL_ID,
    ) ?? `run:${unique}`;
  return {
    mark,
    checkRun: (scan) => ({ name: checkName, headSha, detailsUrl: runUrl, externalId: externalIdOf(scan) }),
    isStarted: (externalId, scan) => {
      const mark = readMark(externalId, seal);
      if (mark === undefined) return externalId === externalIdOf(scan);
      const isOfRun = mark.runId === runId && mark.runAttempt === runAttempt;
      return mark.scanId === scan.scanId && mark.key === fields?.key && isOfRun;
    },
  };
}
