import { textAt } from '../../json.ts';
import { addArea } from '../audit-areas/store-map.ts';
import { badRequest, conflict, notFound } from '../refusal.ts';
import { showArea, showAreaList } from '../serializers.ts';
import { onRepository } from '../visibility.ts';

export const listAuditAreas = onRepository(({ query }, repository) => {
  const branch = query.get('branch') ?? repository.defaultBranch;
  if (branch === '') return badRequest('branch must be the name of a branch.');
  return { status: 200, body: showAreaList(repository, branch) };
});

export const createAuditArea = onRepository(({ body }, repository) => {
  const name = textAt(body, 'name')?.trim() ?? '';
  const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
  const same = repository.areas.find((area) => area.source === 'custom' && isSame(area.name));
  if (same !== undefined) return conflict(`There is already a custom audit area of this name: ${same.key}.`);
  const description = textAt(body, 'description') ?? null;
  const area = addArea(repository, { name, description, source: 'custom' });
  return { status: 201, body: { area: showArea(area, undefined) } };
});

/** Deletes an area. Earlier scans keep the areas that they were launched with. */
export const deleteAuditArea = onRepository(({ params }, { areas, maps }) => {
  const index = areas.findIndex((one) => one.key === params['areaKey']);
  const area = areas[index];
  if (area === undefined) return notFound('The audit area');
  if (area.source !== 'custom') {
    return conflict(`The audit area ${area.key} was discovered by a scan; only custom ones can be deleted.`);
  }
  areas.splice(index, 1);
  for (const [branch, map] of maps) {
    maps.set(branch, { ...map, areas: map.areas.filter((one) => one.key !== area.key) });
  }
  return { status: 200, body: { key: area.key, deleted: true } };
});
