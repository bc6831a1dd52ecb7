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
  const { analyze, survey, onScanFailure } = state.settings;
  const failed = (error: unknown): undefined => {
    onScanFailure(id, error instanceof Error ? error.message : String(error));
  };
  return {
    analysis: analyze(target).catch(failed),
    // If the tree cannot be read, the scan stores no map of the areas. The scan does not fail, because a diff scan need
    // not read the whole tree.
    survey: survey(gitDir, commit).catch(() => undefined),
  };
}
