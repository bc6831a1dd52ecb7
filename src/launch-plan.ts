import type { NotScanned } from './domain/not-scanned.ts';
import { err, ok, type Result } from './domain/result.ts';
import { type DiffBase, isCommitId, type ScanTarget } from './domain/target.ts';
import type { Inputs } from './inputs.ts';
import type { Preflight } from './scan/preflight.ts';
import { type LaunchBody, type LaunchFields, launchBody, readLaunchBody } from './scan-api/wire-writes.ts';

export interface LaunchableChange {
  readonly target: ScanTarget;
  /** Planned: `launch-parameters` agree with it. */
  readonly diffBase: DiffBase;
  readonly preflight: Preflight;
}

/** What is sent to launch the scan. */
export interface LaunchPlan {
  readonly body: LaunchBody;
  readonly sent: LaunchFields;
}

/**
 * The base from which the change is really measured: the one that was found, but where `launch-parameters` set
 * another. An error where they set a base that is no full commit id, or another commit to scan than the head: that is
 * no scan of this change. Pure.
 */
export function planBase(
  found: DiffBase,
  launchParameters: Readonly<Record<string, unknown>>,
): Result<DiffBase, NotScanned> {
  const { baseCommit, headCommit } = found;
  const body = launchBody({}, launchParameters);
  const sent = readLaunchBody(body);
  if (Object.hasOwn(body, 'commit') && sent.commit?.toLowerCase() !== headCommit) return err(OTHER_COMMIT);
  if (!Object.hasOwn(body, 'baseCommit')) return ok(found);
  // What is no text is no commit id, however it is written.
  const base = String(sent.baseCommit).toLowerCase();
  if (!isCommitId(base)) return err(NO_COMMIT_ID);
  return ok(base === baseCommit ? found : { ...found, baseCommit: base, how: 'input' });
}

/** The launch body of the change. Pure. */
export function planLaunch(
  { diffBase, preflight }: LaunchableChange,
  { launchParameters }: Pick<Inputs, 'launchParameters'>,
): LaunchPlan {
  const body = launchBody(
    {
      repositoryId: preflight.repository.id,
      presetRef: preflight.preset.ref,
      creditBudget: preflight.creditBudget,
      baseCommit: diffBase.baseCommit,
      commit: diffBase.headCommit,
    },
    launchParameters,
  );
  return { body, sent: readLaunchBody(body) };
}

const OTHER_COMMIT: NotScanned = {
  reason: 'configuration',
  cause: 'Input `launch-parameters` sets `commit` to something else than the head of this change.',
  nextStep:
    'Remove `commit` from `launch-parameters`, or set it to `null` where the service names the field differently.',
};

const NO_COMMIT_ID: NotScanned = {
  reason: 'configuration',
  cause: 'Input `launch-parameters` sets `baseCommit` to something else than a full commit id.',
  nextStep:
    'Write all 40 or 64 hexadecimal digits, or remove `baseCommit` from `launch-parameters`: then the merge base is computed.',
};
