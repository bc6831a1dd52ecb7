import type { Answer } from '../../faults/interception.ts';
import { addArea } from '../audit-areas/store-map.ts';
import { badRequest, conflict, notFound, Refusal } from '../refusal.ts';
import { showArea, showAreaList } from '../serializers.ts';
import type { Call } from '../state.ts';
import { isLongerThan } from '../text-length.ts';
import { findRepository } from '../visibility.ts';

const LONGEST_NAME = 120;
const LONGEST_DESCRIPTION = 500;

export function listAuditAreas(call: Call): Answer | Refusal {
  const repository = findRepository(call);
  if (repository instanceof Refusal) return repository;
  const branch = call.query.get('branch') ?? repository.defaultBranch;
  if (branch === '') return badRequest('branch must be the name of a branch.');
  return { status: 200, body: showAreaList(repository, branch) };
}

export function createAuditArea(call: Call): Answer | Refusal {
  const repository = findRepository(call);
  if (repository instanceof Refusal) return repository;
  const { name, description = null } = call.body;
  if (typeof name !== 'string' || name.trim() === '' || isLongerThan(name, LONGEST_NAME)) {
    return badRequest(`name must be a string with text, of at most ${LONGEST_NAME} characters.`);
  }
  if (description !== null && typeof description !== 'string') {
    return badRequest('description must be a string or null.');
  }
  if (description !== null && isLongerThan(description, LONGEST_DESCRIPTION)) {
    return badRequest(`description must have at most ${LONGEST_DESCRIPTION} characters.`);
  }
  const isSame = (other: string) => other.toLowerCase() === name.trim().toLowerCase();
  const same = repository.areas.find((area) => area.source === 'custom' && isSame(area.name));
  if (same !== undefined) return conflict(`There is already a custom audit area of this name: ${same.key}.`);
  const area = addArea(repository, { name: name.trim(), description, source: 'custom' });
  return { status: 201, body: { area: showArea(area, undefined) } };
}

/** Deletes an area. Earlier scans keep the areas that they were launched with. */
export function deleteAuditArea(call: Call): Answer | Refusal {
  const repository = findRepository(call);
  if (repository instanceof Refusal) return repository;
  const { areas } = repository;
  const index = areas.findIndex((one) => one.key === call.params['areaKey']);
  const area = areas[index];
  if (area === undefined) return notFound('The audit area');
  if (area.source !== 'custom') {
    return conflict(`The audit area ${area.key} was discovered by a scan; only custom ones can be deleted.`);
  }
  areas.splice(index, 1);
  for (const [branch, map] of repository.maps) {
    repository.maps.set(branch, { ...map, areas: map.areas.filter((one) => one.key !== area.key) });
  }
  return { status: 200, body: { key: area.key, deleted: true } };
}
