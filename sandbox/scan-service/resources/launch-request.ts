import { isFullId } from '../../git-cache.ts';
import { textAt } from '../../json.ts';
import type { AuditArea, PresetOptions, ScanGuidance } from '../records.ts';
import { badRequest, notFound, Refusal } from '../refusal.ts';
import type { Call, RepositoryRecord } from '../state.ts';
import { canSee } from '../visibility.ts';

/** The least budget of a preset whose `minCredits` is 0. */
const DEFAULT_FLOOR = 10;

/** A launch body with valid members. It can name a commit that does not exist. */
export type LaunchRequest = Exclude<ReturnType<typeof readLaunch>, Refusal>;

/**
 * Reads a launch body. The answer shows only the first error.
 * @param body a body whose form the contract allows
 */
export function readLaunch({ state, token, body }: Call) {
  const preset = state.presets.find((one) => one.ref === body['presetRef']);
  if (preset === undefined) return badRequest('presetRef must be the ref of a preset of this project.');

  const least = preset.minCredits === 0 ? DEFAULT_FLOOR : preset.minCredits;
  const creditBudget = Number(body['creditBudget'] ?? least);
  if (creditBudget < least)
    return badRequest(`creditBudget must be a whole number of at least ${least} for this preset.`);

  const repository = state.repositories.find((one) => one.id === body['repositoryId']);
  // A repository that is marked for deletion is treated as deleted.
  if (repository === undefined || !canSee(token, repository) || repository.status !== 'ACTIVE') {
    return notFound('An active repository of this id');
  }

  // Null means the tip of the default branch.
  const commit = textAt(body, 'commit') ?? null;
  if (commit !== null && !isFullId(commit)) return badRequest('The commit to scan must be a full commit id.');
  const baseCommit = readBase(preset, textAt(body, 'baseCommit') ?? null);
  if (baseCommit instanceof Refusal) return baseCommit;
  const areas = readAreas(repository, body['auditAreaKeys'] ?? []);
  if (areas instanceof Refusal) return areas;
  const guidance = guidanceOf(repository, textAt(body, 'guidance'));
  return { repository, preset, creditBudget, baseCommit, commit, areas, guidance };
}

/**
 * Returns the guidance for one scan: the guidance in the launch request, otherwise the stored one. An empty text in the
 * launch request also replaces the stored guidance.
 */
function guidanceOf({ guidance: stored }: RepositoryRecord, given: string | undefined): ScanGuidance {
  if (given !== undefined) return { applied: 'scan', content: given };
  return { applied: stored.content === null ? null : 'repository', content: stored.content };
}

function readAreas(repository: RepositoryRecord, keys: unknown): AuditArea[] | Refusal {
  const wanted: readonly unknown[] = Array.isArray(keys) ? keys : [];
  const unknown = wanted.find((key) => !repository.areas.some((area) => area.key === key));
  if (unknown !== undefined) {
    return badRequest(
      `auditAreaKeys must be keys of the repository's audit areas; it has no ${String(unknown)}.`,
    );
  }
  return repository.areas.filter((area) => wanted.includes(area.key));
}

function readBase(preset: PresetOptions, base: string | null): string | null | Refusal {
  if (preset.kind !== 'diff') {
    if (base === null) return null;
    return new Refusal(400, 'diff_base_not_allowed', `The preset ${preset.ref} takes no baseCommit.`);
  }
  if (base === null || base === '') {
    return new Refusal(400, 'diff_base_required', `The preset ${preset.ref} needs baseCommit.`);
  }
  return isFullId(base)
    ? base
    : new Refusal(400, 'diff_base_invalid', 'baseCommit must be a full commit id.');
}
