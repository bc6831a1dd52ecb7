import { covers } from './audit-areas/area-files.ts';
import type { ScanRecord, ServiceState } from './state.ts';

/** Starts the work of a scan in the background. If a file cannot be read, the scan becomes FAILED. */
export function beginWork(
  state: ServiceState,
  scan: Pick<ScanRecord, 'id' | 'repository' | 'baseCommit' | 'commit' | 'areas'>,
): Pick<ScanRecord, 'analysis' | 'survey'> {
  const { areas, baseCommit, commit, id, repository } = scan;
  const { gitDir } = repository;
  const inScope = (path: string) => areas.some((area) => covers(area, path));
  const target = { gitDir, base: baseCommit, commit, ...(areas.length > 0 ? { inScope } : {}) };
  return {
    analysis: state
      .analyze(target)
      .catch((error: unknown) =>
        state.onScanFailure(id, error instanceof Error ? error.message : String(error)),
      ),
    // If the tree cannot be read, the scan stores no map of the areas. The scan does not fail, because a diff scan need
    // not read the whole tree.
    survey: state.survey(gitDir, commit).catch(() => undefined),
  };
}
