import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { Inputs } from '../inputs.ts';
import type { Preflight } from '../scan/preflight.ts';
import type { ScanSubject } from '../scan/running-scan.ts';
import type { ScanParts } from '../scan/scan-mark.ts';

/** The launch fields that a scan shows, and the budget, which changes nothing about what it looks at. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  'repositoryId',
  'presetRef',
  'baseCommit',
  'commit',
  'creditBudget',
]);

/** What this run would have scanned: an earlier scan of the same parts is the same scan. */
export function scanParts(
  target: ScanTarget,
  diffBase: DiffBase,
  { repository, preset, creditBudget }: Pick<Preflight, 'repository' | 'preset' | 'creditBudget'>,
  { launchParameters }: Pick<Inputs, 'launchParameters'>,
): ScanParts {
  return {
    repositoryId: repository.id,
    pullRequest: target.pullRequest?.number,
    headCommit: diffBase.headCommit,
    baseCommit: diffBase.baseCommit,
    presetRef: preset.ref,
    creditBudget,
    auditAreas: [],
    guidance: undefined,
    launchParameters,
  };
}

/**
 * By what a scan of these parts is recognized where no mark names it. Undefined where it has more to it: areas,
 * guidance and what else launch parameters ask for cannot be seen in a scan, so that one with others looks the same.
 */
export function subjectOf(parts: ScanParts): ScanSubject | undefined {
  const { repositoryId, presetRef, baseCommit, headCommit, launchParameters } = parts;
  // A parameter that repeats one of these is only another name for it.
  const seen: readonly unknown[] = [null, repositoryId, presetRef, baseCommit, headCommit];
  const hasMore =
    parts.auditAreas.length > 0 ||
    parts.guidance !== undefined ||
    Object.entries(launchParameters).some(
      ([name, value]) => !PLAIN_FIELDS.has(name) && !seen.includes(value),
    );
  return hasMore ? undefined : { repositoryId, presetRef, baseCommit, commit: headCommit };
}
