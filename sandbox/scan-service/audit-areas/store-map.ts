import type { AuditArea, MappedArea } from '../records.ts';
import type { RepositoryRecord } from '../state.ts';
import { areaNameOf, covers, describeArea } from './area-files.ts';
import { freeKey } from './area-key.ts';
import type { Survey } from './survey.ts';

/** Finds the areas of a scanned commit. Stores them as the map of each branch whose tip is this commit. */
export function storeMap(repository: RepositoryRecord, commit: string, { branches, files }: Survey): void {
  const areas = [...discover(repository, files), ...resolveCustom(repository, files)];
  // An audit takes the areas in this order: the largest area first.
  areas.sort((a, b) => b.lines - a.lines || b.files - a.files || (a.key < b.key ? -1 : 1));
  const total = sizeOf(files);
  for (const branch of branches) {
    repository.maps.set(branch, { commit, totalFiles: total.files, totalLines: total.lines, areas });
  }
}

/** Finds the areas in the tree. An area that the repository already has keeps its key. */
function discover(repository: RepositoryRecord, files: Survey['files']): MappedArea[] {
  const byName = Map.groupBy(files, (file) => areaNameOf(file.path));
  return [...byName].map(([name, members]) => {
    const known = repository.areas.find((area) => area.source === 'discovered' && area.name === name);
    const { key } =
      known ?? addArea(repository, { name, description: describeArea(name), source: 'discovered' });
    return { key, ...sizeOf(members) };
  });
}

/** Returns the custom areas that include a file of the commit. */
function resolveCustom(repository: RepositoryRecord, files: Survey['files']): MappedArea[] {
  return repository.areas
    .filter((area) => area.source === 'custom')
    .map((area) => ({ key: area.key, ...sizeOf(files.filter((file) => covers(area, file.path))) }))
    .filter((area) => area.files > 0);
}

export function addArea(repository: RepositoryRecord, area: Omit<AuditArea, 'key'>): AuditArea {
  const key = freeKey(area.name, new Set(repository.areas.map((one) => one.key)));
  const added = { key, ...area };
  repository.areas.push(added);
  return added;
}

function sizeOf(files: Survey['files']): { files: number; lines: number } {
  return { files: files.length, lines: files.reduce((sum, file) => sum + file.lines, 0) };
}
