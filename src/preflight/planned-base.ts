import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import { isCommitId } from '../domain/target.ts';
import type { LaunchParameters } from '../scan-api/wire-writes.ts';

/**
 * Returns the base that the workflow sets; undefined if the run has to compute it.
 *
 * The member `baseCommit` of `launch-parameters` overrides the input `base-commit`. `launch-parameters` can also remove
 * `baseCommit`, and send the base under another name.
 *
 * Returns an error in three cases:
 * - The base in `launch-parameters` is not one full commit id.
 * - The head in `launch-parameters` is not `headSha`.
 * - `launch-parameters` removes the head, and does not send it under another name.
 * @param input the value of `base-commit`
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

/** Returns the full commit ids among the values, at any depth. */
function commitIdsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return isCommitId(value.toLowerCase()) ? [value.toLowerCase()] : [];
  return value instanceof Object ? Object.values(value).flatMap(commitIdsIn) : [];
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
