import { type GuidanceFile, guidanceCommit, readGuidanceFile } from '../change/guidance-file.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { unsupportedEvent } from '../github/event-payload.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Preflight } from '../preflight/preflight.ts';
import { useEarlierScan } from '../scan/earlier-scan.ts';
import { findEarlierMarks } from '../scan/find-marks.ts';
import { openCheckRunOf } from '../scan/open-check-run.ts';
import { createFileComparison } from '../scan/same-files.ts';
import { isKeyOf } from '../scan/scan-key.ts';
import type { ScanMark } from '../scan/scan-mark.ts';
import type { LaunchParameters } from '../scan-api/wire-writes.ts';
import { followRequest } from './follow-launched.ts';
import type { ChangeDeps } from './launch-change.ts';
import { keyFieldsOf } from './launch-plan.ts';
import { notScanned, type RunResult } from './run-result.ts';
import { createStepIdentity } from './step-identity.ts';

export interface ClosedDeps
  extends Pick<ChangeDeps, 'api' | 'github' | 'inputs' | 'clock' | 'random' | 'signal' | 'log'> {
  readonly environment: GitHubEnvironment;
  readonly parameters: LaunchParameters;
}

/**
 * For a closed pull request nothing is launched, and no base is computed. The newest proven mark of this pull request
 * and head, with the key that this workflow asks for, names the scan that is read, against the mark's own base.
 * @param prepared is called only where there is a mark
 */
export async function readClosedPullRequest(
  deps: ClosedDeps,
  target: ScanTarget,
  state: PullRequestState | undefined,
  prepared: () => Promise<Result<Preflight, NotScanned>>,
): Promise<RunResult> {
  const { api, clock, random, signal, inputs, log, github, environment, parameters } = deps;
  const { headSha } = target;
  // An earlier run has always seen this head: the comment is worth reading.
  const look = { github, signal, inputs: { ...inputs, reuseScan: true }, runAttempt: 2, log, state };
  const marks = await findEarlierMarks(look, target);
  if (marks.length === 0) return notScanned(closedEvent(target));
  const ready = await prepared();
  if (!ready.ok) return notScanned(ready.error);
  const { projectId } = ready.value;
  const file = await readGuidance(deps, target);
  if (!file.ok) return notScanned(file.error);
  const keyFields = keyFieldsOf(target, ready.value, parameters, file.value?.hash);
  const isOfStep = (found: ScanMark) => isKeyOf(found, keyFields);
  const mark = marks.find((found) => found.version === 2 && found.headSha === headSha && isOfStep(found));
  if (mark?.version !== 2) return notScanned(closedEvent(target));

  const diffBase: DiffBase = { baseSha: mark.baseSha, headSha, how: 'mark' };
  const read = await useEarlierScan(
    { api, clock, random, signal, policy: inputs.policy, log },
    [mark.scanId],
    {
      ...followRequest(projectId, diffBase, log),
      showsSameFiles: createFileComparison({ github, signal }, diffBase, undefined),
    },
  );
  const scanned = read.kind === 'used' ? read.scan : (read.ended ?? notScanned(closedEvent(target)));
  const open = openCheckRunOf(environment, marks, inputs.checkName, isOfStep);
  return {
    ...scanned,
    checkRun: open && ok(open),
    diffBase,
    projectId,
    identity: createStepIdentity(environment, inputs, headSha, mark),
  };
}

/**
 * As the base branch has it now: the one that an earlier run read is not known. Where the file has changed since, no mark
 * has the key.
 */
async function readGuidance(
  { github, signal, inputs }: Pick<ClosedDeps, 'github' | 'signal' | 'inputs'>,
  target: ScanTarget,
): Promise<Result<GuidanceFile | undefined, NotScanned>> {
  if (inputs.guidanceFile === undefined) return ok(undefined);
  const commitSha = guidanceCommit(target, undefined);
  if (commitSha === undefined) return err(closedEvent(target));
  return readGuidanceFile({ github, signal }, inputs.guidanceFile, commitSha);
}

/** Red, because the commit may be the head of another pull request too. */
export function closedEvent({ pullRequest, base }: ScanTarget): NotScanned {
  const name = base.kind === 'branch' ? JSON.stringify(base.name) : '';
  return {
    ...unsupportedEvent(
      `Pull request #${pullRequest?.number} is closed, or its base branch ${name} is gone. Scangate found no earlier scan of it`,
    ),
    nextStep: 'Reopen the pull request or choose another base branch, then push.',
  };
}
