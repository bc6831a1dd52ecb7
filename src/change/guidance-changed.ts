import type { DiffBase } from '../domain/target.ts';
import type { GitHubAccess } from '../github/access.ts';
import type { GuidanceFile } from './guidance-file.ts';
import { findEntry, leadToSame } from './path-trail.ts';

/**
 * True if the pull request changes the guidance file. The result only informs the author, so a failed read is no error
 * and counts as no change.
 */
export async function changesGuidance(
  deps: GitHubAccess,
  { path, trail }: GuidanceFile,
  { baseSha, headSha }: DiffBase,
): Promise<boolean> {
  if (baseSha === undefined) return false;
  const head = await findEntry(deps, headSha, path, ...trail);
  if (!head.ok || leadToSame(path, head.value.trail, trail)) return false;
  // The file can also differ because the base branch changed it after the merge base. So the head is compared with the
  // merge base too.
  const base = await findEntry(deps, baseSha, path, ...head.value.trail);
  return base.ok && !leadToSame(path, base.value.trail, head.value.trail);
}

/** Informs the author that the changed guidance is not used yet. */
export function takesEffectLater(path: string): string {
  return `This pull request changes the guidance file \`${path}\`. The change takes effect after the merge.`;
}
