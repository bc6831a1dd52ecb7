import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { ScanSubject } from '../domain/scan-subject.ts';
import { type DiffBase, isCommitId, type ScanTarget } from '../domain/target.ts';
import type { Preflight } from '../preflight/preflight.ts';
import type { Inputs } from '../runner/inputs.ts';
import {
  LAUNCH_SCOPE_FIELDS,
  type LaunchBody,
  type LaunchFields,
  launchBody,
  readLaunchBody,
  readLaunchScope,
} from '../scan-api/wire-writes.ts';

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
  /** By what the scan is recognized; undefined where the launch sends more than a scan can show. */
  readonly subject: ScanSubject | undefined;
}

/**
 * The base that the workflow gives: `baseCommit` in `launch-parameters`, which is merged last, else the input
 * `base-commit`; undefined where it is to be computed. Where `launch-parameters` remove `baseCommit` and send a commit id
 * under another name, that is the base. An error where they set a base that is no full commit id, set another commit to
 * scan than the head, or send the head nowhere. Pure.
 */
export function planBase(
  headSha: string,
  { baseSha, launchParameters }: Pick<Inputs, 'baseSha' | 'launchParameters'>,
): Result<string | undefined, NotScanned> {
  const body = launchBody({}, launchParameters);
  const sent = readLaunchBody(body);
  if (Object.hasOwn(body, 'commit') && sent.commit?.toLowerCase() !== headSha) return err(OTHER_COMMIT);
  const sentIds = new Set(commitIdsIn(launchParameters));
  const isRemoved = (name: string) => Object.hasOwn(launchParameters, name) && !Object.hasOwn(body, name);
  if (isRemoved('commit') && !sentIds.has(headSha)) return err(HEAD_NOT_SENT);
  if (isRemoved('baseCommit')) {
    const [renamed, ...more] = [...sentIds].filter((id) => id !== headSha);
    return more.length > 0 ? err(SEVERAL_BASES) : ok(renamed ?? baseSha);
  }
  if (!Object.hasOwn(body, 'baseCommit')) return ok(baseSha);
  // What is no text is no commit id, however it is written.
  const base = String(sent.baseCommit).toLowerCase();
  return isCommitId(base) ? ok(base) : err(NO_COMMIT_ID);
}

/** The full commit ids among the values, at any depth. */
function commitIdsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return isCommitId(value.toLowerCase()) ? [value.toLowerCase()] : [];
  return value instanceof Object ? Object.values(value).flatMap(commitIdsIn) : [];
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
      baseCommit: diffBase.baseSha,
      commit: diffBase.headSha,
    },
    launchParameters,
  );
  const sent = readLaunchBody(body);
  const subject: ScanSubject = {
    repositoryId: preflight.repository.id,
    presetRef: preflight.preset.ref,
    baseSha: diffBase.baseSha,
    headSha: diffBase.headSha,
    creditBudget: sent.creditBudget,
    ...readLaunchScope(body),
  };
  return { body, sent, subject: sendsMore(launchParameters, subject) ? undefined : subject };
}

const COMPARED: ReadonlySet<string> = new Set(['creditBudget', ...LAUNCH_SCOPE_FIELDS]);

/** A field that is not compared, and whose value is none of those that are. */
function sendsMore(launchParameters: Readonly<Record<string, unknown>>, subject: ScanSubject): boolean {
  const { repositoryId, presetRef, baseSha, headSha } = subject;
  const renamed: readonly unknown[] = [null, repositoryId, presetRef, baseSha, headSha];
  return Object.entries(launchParameters).some(
    ([name, value]) => !COMPARED.has(name) && !renamed.includes(value),
  );
}

const OTHER_COMMIT: NotScanned = {
  reason: 'configuration',
  cause: '`launch-parameters` sets `commit` to something else than the head.',
  nextStep:
    'Remove `commit` from `launch-parameters` and push. If the service uses another field name, set `commit` to `null` and that field to the head SHA.',
};

const HEAD_NOT_SENT: NotScanned = {
  reason: 'configuration',
  cause: '`launch-parameters` removes `commit`, and no other value in it is the head SHA.',
  nextStep:
    'Add the field that the service uses for the head and push. Its value is `github.event.pull_request.head.sha`, or `github.sha` in a merge group.',
};

const SEVERAL_BASES: NotScanned = {
  reason: 'configuration',
  cause: '`launch-parameters` removes `baseCommit` and has several commit SHAs besides the head SHA.',
  nextStep: 'Keep one commit SHA besides the head SHA, as the base, and push.',
};

const NO_COMMIT_ID: NotScanned = {
  reason: 'configuration',
  cause: '`launch-parameters` sets `baseCommit` to something else than a full commit SHA.',
  nextStep:
    'Use all 40 or 64 hexadecimal digits, or remove `baseCommit` from `launch-parameters` to use the merge base. Then push.',
};
