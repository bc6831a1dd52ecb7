import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { Inputs } from '../inputs.ts';
import type { Preflight } from '../scan/preflight.ts';
import type { ScanParts } from '../scan/scan-mark.ts';

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
