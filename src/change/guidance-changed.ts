import type { DiffBase } from '../domain/target.ts';
import type { GuidanceFile, GuidanceFileDeps } from './guidance-file.ts';
import { findEntry, leadToSame } from './path-trail.ts';

/**
 * Does the pull request change the guidance file? One request where the folder of the file is the same in the head. False
 * where it cannot be read: this only informs.
 */
export async function changesGuidance(
  deps: GuidanceFileDeps,
  { path, trail }: GuidanceFile,
  { baseSha, headSha }: DiffBase,
): Promise<boolean> {
  if (baseSha === undefined) return false;
  const head = await findEntry(deps, headSha, path, ...trail);
  if (!head.ok || leadToSame(path, head.value.trail, trail)) return false;
  // The base branch may have changed it since.
  const base = await findEntry(deps, baseSha, path, ...head.value.trail);
  return base.ok && !leadToSame(path, base.value.trail, head.value.trail);
}

/** A notice for the author, who may expect something else. */
export function takesEffectLater(path: string): string {
  return `This pull request changes the guidance file \`${path}\`. The change takes effect after the merge.`;
}
