import type { PresetOptions } from '../options.ts';
import { badRequest, notFound, Refusal } from '../refusal.ts';
import type { AuditArea, Call, RepositoryRecord, ScanGuidance } from '../state.ts';
import { isLongerThan } from '../text-length.ts';
import { canSee } from '../visibility.ts';
import { LONGEST_GUIDANCE } from './guidance.ts';

/** A launch body with valid members. It can name a commit that does not exist. */
export interface LaunchRequest {
  readonly repository: RepositoryRecord;
  readonly preset: PresetOptions;
  readonly creditBudget: number;
  readonly baseCommit: string | null;
  /** Null means the tip of the default branch. */
  readonly commit: string | null;
  readonly areas: readonly AuditArea[];
  readonly guidance: ScanGuidance;
}

/** Parses a launch body. The answer shows only the first error. Unknown members are ignored. */
export function readLaunch(call: Call): LaunchRequest | Refusal {
  const { state, token, body } = call;
  const { launchFields, defaultFloor } = state.settings;
  const preset = state.presets.find((one) => one.ref === body['presetRef']);
  if (preset === undefined) return badRequest('presetRef must be the ref of a preset of this project.');

  const least = preset.minCredits === 0 ? defaultFloor : preset.minCredits;
  const { creditBudget = least, auditAreaKeys = [] } = body;
  if (typeof creditBudget !== 'number' || !Number.isSafeInteger(creditBudget) || creditBudget < least) {
    return badRequest(`creditBudget must be a whole number of at least ${least} for this preset.`);
  }

  const repositoryId = body[launchFields.repository];
  if (typeof repositoryId !== 'string')
    return badRequest(`${launchFields.repository} must be a repository id.`);
  const repository = state.repositories.find((one) => one.id === repositoryId);
  // A repository that is marked for deletion is treated as deleted.
  if (repository === undefined || !canSee(token, repository) || repository.status !== 'ACTIVE') {
    return notFound('An active repository of this id');
  }

  const commit = body[launchFields.commit] ?? null;
  if (commit !== null && !isCommitId(commit))
    return badRequest(`${launchFields.commit} must be a full commit id.`);
  const baseCommit = readBase(preset, body['baseCommit'] ?? null);
  if (baseCommit instanceof Refusal) return baseCommit;
  const areas = readAreas(repository, auditAreaKeys);
  if (areas instanceof Refusal) return areas;
  const guidance = readGuidance(repository, body['guidance'] ?? null);
  if (guidance instanceof Refusal) return guidance;
  return { repository, preset, creditBudget, baseCommit, commit, areas, guidance };
}

/**
 * Returns the guidance for one scan: the guidance in the launch request, otherwise the stored one. An empty text in the
 * launch request also replaces the stored guidance.
 */
function readGuidance({ guidance: stored }: RepositoryRecord, given: unknown): ScanGuidance | Refusal {
  if (given === null)
    return { applied: stored.content === null ? null : 'repository', content: stored.content };
  if (typeof given !== 'string' || isLongerThan(given, LONGEST_GUIDANCE)) {
    return badRequest(`guidance must be a string of at most ${LONGEST_GUIDANCE} characters.`);
  }
  return { applied: 'scan', content: given };
}

function readAreas(repository: RepositoryRecord, keys: unknown): AuditArea[] | Refusal {
  if (!Array.isArray(keys)) return badRequest('auditAreaKeys must be an array of keys of audit areas.');
  const unknown = keys.find((key) => !repository.areas.some((area) => area.key === key));
  if (unknown !== undefined) {
    return badRequest(
      `auditAreaKeys must be keys of the repository's audit areas; it has no ${String(unknown)}.`,
    );
  }
  return repository.areas.filter((area) => keys.includes(area.key));
}

function readBase(preset: PresetOptions, base: unknown): string | null | Refusal {
  if (preset.kind !== 'diff') {
    if (base === null) return null;
    return new Refusal(400, 'diff_base_not_allowed', `The preset ${preset.ref} takes no baseCommit.`);
  }
  if (base === null || base === '') {
    return new Refusal(400, 'diff_base_required', `The preset ${preset.ref} needs baseCommit.`);
  }
  return isCommitId(base)
    ? base
    : new Refusal(400, 'diff_base_invalid', 'baseCommit must be a full commit id.');
}

function isCommitId(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}
