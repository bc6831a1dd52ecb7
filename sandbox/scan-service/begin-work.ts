import { covers } from './audit-areas/area-files.ts';
import type { ScanRecord, ServiceState } from './state.ts';

/** Begins the background work of a scan. A repository that cannot be read any more makes it FAILED. */
export function beginWork(
  state: ServiceState,
  scan: Pick<ScanRecord, 'repository' | 'baseCommit' | 'commit' | 'areas'>,
): Pick<ScanRecord, 'analysis' | 'survey'> {
  const { areas, baseCommit, commit, repository } = scan;
  const { gitDir } = repository;
  const inScope = (path: string) => areas.some((area) => covers(area, path));
  const target = { gitDir, base: baseCommit, commit, ...(areas.length > 0 ? { inScope } : {}) };
  return {
    analysis: state.analyze(target).catch(() => undefined),
    survey: state.survey(gitDir, commit).catch(() => undefined),
  };
}
