import { covers } from './audit-areas/area-files.ts';
import type { ScanRecord, World } from './world.ts';

/** Begins what a scan does in the background. A repository that cannot be read any more makes it FAILED. */
export function beginWork(
  world: World,
  scan: Pick<ScanRecord, 'repository' | 'baseCommit' | 'commit' | 'areas'>,
): Pick<ScanRecord, 'analysis' | 'survey'> {
  const { areas, baseCommit, commit, repository } = scan;
  const { gitDir } = repository;
  const inScope = (path: string) => areas.some((area) => covers(area, path));
  const target = { gitDir, base: baseCommit, commit, ...(areas.length > 0 ? { inScope } : {}) };
  return {
    analysis: world.analyze(target).catch(() => undefined),
    survey: world.survey(gitDir, commit).catch(() => undefined),
  };
}
