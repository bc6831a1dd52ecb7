import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { ChosenScan, ScanSubject } from '../domain/scan-subject.ts';
import { type DiffBase, isCommitId, type ScanTarget } from '../domain/target.ts';
import type { Preflight } from '../preflight/preflight.ts';
import type { ScanKeyFields } from '../scan/scan-key.ts';
import {
  hashOfText,
  type LaunchBody,
  type LaunchParameters,
  launchBody,
  sentValue,
} from '../scan-api/wire-writes.ts';

export interface LaunchableChange {
  readonly target: ScanTarget;
  /** Planned: `launch-parameters` agree with it. */
  readonly diffBase: DiffBase;
  readonly preflight: Preflight;
}

/** The launch of the scan, and how it is recognized. */
export interface LaunchPlan {
  readonly body: LaunchBody;
  /** As the body has it. */
  readonly creditBudget: number | undefined;
  readonly keyFields: ScanKeyFields;
  /** By what the scan is recognized; undefined where the launch sends more than a scan can show. */
  readonly subject: ScanSubject | undefined;
}

/**
 * The base that the workflow gives: `baseCommit` in `launch-parameters`, which is merged last, else the input
 * `base-commit`; undefined where it is to be computed. Where `launch-parameters` remove `baseCommit` and send a commit id
 * under another name, that is the base. An error where they set a base that is no full commit id, set another commit to
 * scan than the head, or send the head nowhere. Pure.
 * @param input `base-commit`
 */
export function planBase(
  headSha: string,
  input: string | undefined,
  { given, sets, removes, unreadable }: LaunchParameters,
): Result<string | undefined, NotScanned> {
  const head = sets.headSha?.toLowerCase() ?? headSha;
  if (unreadable.has('headSha') || head !== headSha) return err(OTHER_COMMIT);
  const sentIds = new Set(commitIdsIn(given));
  if (removes.has('headSha') && !sentIds.has(headSha)) return err(HEAD_NOT_SENT);
  if (removes.has('baseSha')) {
    const [renamed, ...more] = [...sentIds].filter((id) => id !== headSha);
    return more.length > 0 ? err(SEVERAL_BASES) : ok(renamed ?? input);
  }
  if (unreadable.has('baseSha')) return err(NO_COMMIT_ID);
  if (sets.baseSha === undefined) return ok(input);
  const base = sets.baseSha.toLowerCase();
  return isCommitId(base) ? ok(base) : err(NO_COMMIT_ID);
}

/** The full commit ids among the values, at any depth. */
function commitIdsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return isCommitId(value.toLowerCase()) ? [value.toLowerCase()] : [];
  return value instanceof Object ? Object.values(value).flatMap(commitIdsIn) : [];
}

/** The launch of the change. Pure. */
export function planLaunch(
  { target, diffBase, preflight }: LaunchableChange,
  parameters: LaunchParameters,
): LaunchPlan {
  const { baseSha, headSha } = diffBase;
  const chosen: ChosenScan = {
    repositoryId: preflight.repository.id,
    presetRef: preflight.preset.ref,
    creditBudget: preflight.creditBudget,
    baseSha,
    headSha,
  };
  const creditBudget = sentValue(parameters, 'creditBudget', preflight.creditBudget);
  const { areas = [], guidance } = parameters.sets;
  const subject: ScanSubject = {
    ...chosen,
    creditBudget,
    areas,
    guidance: guidance === undefined ? undefined : hashOfText(guidance),
  };
  return {
    body: launchBody(chosen, parameters.given),
    creditBudget,
    keyFields: { ...keyFieldsOf(target, preflight, parameters), baseSha },
    subject: sendsMore(parameters, subject) ? undefined : subject,
  };
}

/** What the key of the target's scan is made of, from whatever base it is measured. */
export function keyFieldsOf(
  { pullRequest, headSha }: ScanTarget,
  { repository, preset, creditBudget }: Preflight,
  { given }: LaunchParameters,
): Omit<ScanKeyFields, 'baseSha'> {
  return {
    repositoryId: repository.id,
    pullRequest: pullRequest?.number,
    headSha,
    presetRef: preset.ref,
    creditBudget,
    launchParameters: given,
  };
}

/** A field that is not compared, and whose value is none of those that are. */
function sendsMore({ notCompared }: LaunchParameters, subject: ScanSubject): boolean {
  const { repositoryId, presetRef, baseSha, headSha } = subject;
  const renamed: readonly unknown[] = [null, repositoryId, presetRef, baseSha, headSha];
  return notCompared.some((value) => !renamed.includes(value));
}

const OTHER_COMMIT: NotScanned = {
  reason: 'configuration',
  cause: '`launch-parameters` sets `commit` to a value that is not the head SHA.',
  nextStep:
    'Remove `commit` from `launch-parameters` and push. If the service uses another field name, set `commit` to `null` and that field to the head SHA.',
};

const HEAD_NOT_SENT: NotScanned = {
  reason: 'configuration',
  cause: '`launch-parameters` removes `commit`, and no other value in it is the head SHA.',
  nextStep:
    'Add the field that the service uses for the head and push. Its value is `github.event.pull_request.head.sha`, or `github.sha` on other events.',
};

const SEVERAL_BASES: NotScanned = {
  reason: 'configuration',
  cause: '`launch-parameters` removes `baseCommit` and has several commit SHAs besides the head SHA.',
  nextStep: 'Keep one commit SHA besides the head SHA, as the base, and push.',
};

const NO_COMMIT_ID: NotScanned = {
  reason: 'configuration',
  cause: '`launch-parameters` sets `baseCommit` to a value that is not a full commit SHA.',
  nextStep:
    'Use all 40 or 64 hexadecimal digits, or remove `baseCommit` from `launch-parameters` to use the merge base. Then push.',
};
