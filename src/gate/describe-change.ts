import { type GuidanceSource, SHOWN_HASH_DIGITS } from '../domain/guidance.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';

/** Describes the target in one line for the log. */
export function describeTarget({ repository, pullRequest, headSha, base }: ScanTarget): string {
  const where = `${repository.owner}/${repository.name}`;
  switch (base.kind) {
    case 'branch':
      return `Pull request #${pullRequest?.number} of ${where}: ${headSha} onto branch ${base.name}.`;
    case 'merge-group':
      return `Merge group of ${where}: ${headSha} onto ${base.sha}, to be merged into branch ${base.branch}.`;
    case 'none':
      return `All files of ${where} at ${headSha}.`;
    case 'push':
      return `Push to branch ${base.branch} of ${where}: ${headSha} after ${base.before ?? 'no commit: the branch is new'}.`;
  }
}

/** Describes the guidance in one line for the log. Names the file, never its text. */
export function describeGuidance({ path, commitSha, characters, hash }: GuidanceSource): string {
  return `Guidance: ${path} at ${commitSha}, ${characters} characters, SHA-256 ${hash.slice(0, SHOWN_HASH_DIGITS)}.`;
}

/** Describes the base in one line for the log. */
export function describeBase({ baseSha, headSha, how }: DiffBase): string {
  if (how === 'none') return `Full scan of ${headSha}, without a base.`;
  const found = {
    input: 'set in the workflow',
    compare: 'merge base, from GitHub',
    git: 'merge base, from git',
  }[how];
  return `Change: ${baseSha}..${headSha} (base: ${found}).`;
}
