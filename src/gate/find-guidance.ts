import type { FoundDiffBase } from '../change/diff-base.ts';
import { changesGuidance, takesEffectLater } from '../change/guidance-changed.ts';
import {
  type GuidanceFile,
  guidanceCommit,
  readGuidanceFile,
  withStoredGuidance,
} from '../change/guidance-file.ts';
import type { GuidanceSource } from '../domain/guidance.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import { ok, type Result } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import type { Preflight } from '../preflight/preflight.ts';
import { readStoredGuidance } from '../preflight/stored-guidance.ts';
import type { ChangeDeps } from './launch-change.ts';
import type { PlannedGuidance } from './launch-plan.ts';

/** The guidance that the launch sends. */
export interface FoundGuidance extends PlannedGuidance {
  readonly source: GuidanceSource;
  readonly warnings: readonly string[];
}

/** The facts that the guidance depends on. */
export interface GuidanceFacts {
  base(): Promise<Result<FoundDiffBase, NotScanned>>;
  preflight(): Promise<Result<Preflight, NotScanned>>;
}

type GuidanceDeps = Pick<ChangeDeps, 'api' | 'github' | 'signal'>;

/**
 * Reads the file that `guidance-file` names, and composes it with the guidance that the service stores for the
 * repository.
 *
 * Returns undefined if the input is empty. Also returns undefined if `preflight` or `base` is an error, because that
 * error ends the run. Returns an error if one of the texts cannot be read, because the run never sends only a part of
 * the guidance.
 */
export async function findGuidance(
  deps: GuidanceDeps,
  target: ScanTarget,
  path: string | undefined,
  facts: GuidanceFacts,
): Promise<Result<FoundGuidance | undefined, NotScanned>> {
  const { api, signal } = deps;
  if (path === undefined) return ok(undefined);
  const [file, stored] = await Promise.all([readFile(deps, path, target, facts), readStored()]);
  const [ready, measured] = await Promise.all([facts.preflight(), facts.base()]);
  if (!ready.ok || !measured.ok) return ok(undefined);
  if (!file.ok) return file;
  if (!stored.ok) return stored;
  const text = withStoredGuidance(file.value.file, stored.value);
  if (!text.ok) return text;
  return ok({
    fileHash: file.value.file.hash,
    text: text.value,
    source: sourceOf(file.value.file),
    warnings: file.value.isChanged ? [takesEffectLater(path)] : [],
  });

  async function readStored(): Promise<Result<string | null, NotScanned>> {
    const known = await facts.preflight();
    return known.ok
      ? readStoredGuidance(api, known.value.projectId, known.value.repository.id, signal)
      : ok(null);
  }
}

async function readFile(
  deps: GuidanceDeps,
  path: string,
  target: ScanTarget,
  { base }: Pick<GuidanceFacts, 'base'>,
): Promise<Result<{ readonly file: GuidanceFile; readonly isChanged: boolean }, NotScanned>> {
  // The target of a pull request already has the tip of the base branch. So the run does not wait for the merge base
  // here.
  const measured = target.base.kind === 'branch' ? undefined : await base();
  const commitSha = guidanceCommit(target, measured?.ok ? measured.value.diffBase : undefined);
  const file = await readGuidanceFile(deps, path, commitSha);
  if (!file.ok) return file;
  if (target.pullRequest === undefined) return ok({ file: file.value, isChanged: false });
  const found = await base();
  const isChanged = found.ok && (await changesGuidance(deps, file.value, found.value.diffBase));
  return ok({ file: file.value, isChanged });
}

function sourceOf({ path, commitSha, characters, hash }: GuidanceFile): GuidanceSource {
  return { path, commitSha, characters, hash };
}
