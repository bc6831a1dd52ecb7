import type { PresetOptions } from '../options.ts';
import { canSee } from '../reach.ts';
import { badRequest, notFound, Refusal } from '../refusal.ts';
import type { Call, RepositoryRecord } from '../world.ts';

/** A launch body whose every member is of the right form; nothing is looked up in git yet. */
export interface LaunchRequest {
  readonly repository: RepositoryRecord;
  readonly preset: PresetOptions;
  readonly creditBudget: number;
  readonly baseCommit: string | null;
  /** Null: the tip of the default branch. */
  readonly commit: string | null;
}

/** Guidance for one scan has the limit of stored guidance. */
const LONGEST_GUIDANCE = 100_000;

/** Reads a launch body; the first fault is the answer. Members that are not known are ignored. */
export function readLaunch(call: Call): LaunchRequest | Refusal {
  const { world, token, body } = call;
  const { launchFields, defaultFloor } = world.settings;
  const preset = world.presets.find((one) => one.ref === body['presetRef']);
  if (preset === undefined) return badRequest('presetRef must be the ref of a preset of this project.');

  const least = preset.minCredits === 0 ? defaultFloor : preset.minCredits;
  const creditBudget = body['creditBudget'] ?? least;
  if (typeof creditBudget !== 'number' || !Number.isSafeInteger(creditBudget) || creditBudget < least) {
    return badRequest(`creditBudget must be a whole number of at least ${least} for this preset.`);
  }

  const guidance = body['guidance'] ?? '';
  if (typeof guidance !== 'string' || guidance.length > LONGEST_GUIDANCE) {
    return badRequest(`guidance must be a string of at most ${LONGEST_GUIDANCE} characters.`);
  }
  const areas = body['auditAreaKeys'] ?? [];
  if (!Array.isArray(areas) || areas.length > 0) {
    return badRequest('auditAreaKeys must be keys of audit areas of the repository; it has none.');
  }

  const repositoryId = body[launchFields.repository];
  if (typeof repositoryId !== 'string')
    return badRequest(`${launchFields.repository} must be a repository id.`);
  const repository = world.repositories.find((one) => one.id === repositoryId);
  // A repository that is being deleted is as good as gone.
  if (repository === undefined || !canSee(token, repository) || repository.status !== 'ACTIVE') {
    return notFound('An active repository of this id');
  }

  const commit = body[launchFields.commit] ?? null;
  if (commit !== null && !isCommitId(commit))
    return badRequest(`${launchFields.commit} must be a full commit id.`);
  const baseCommit = readBase(preset, body['baseCommit'] ?? null);
  if (baseCommit instanceof Refusal) return baseCommit;
  return { repository, preset, creditBudget, baseCommit, commit };
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
