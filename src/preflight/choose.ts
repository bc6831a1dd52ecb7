import { type ListEntry, type Preset, type ProjectRepository, splitEntries } from '../domain/project.ts';
import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import type { ScanKind } from '../domain/target.ts';
import {
  leftOutSentence,
  malformedCandidate,
  notListed,
  repositoryById,
  repositoryFault,
} from '../scan-api/repository-entry.ts';
import { foreignLine, listed } from '../text/visible-text.ts';

export interface WantedRepository {
  /** The input `repository-id`. */
  readonly repositoryId: string | undefined;
  readonly owner: string;
  readonly name: string;
  /** The GitHub server of this run, for example `https://github.com`. */
  readonly serverUrl: string;
}

/** Finds the repository like `findRepository`. Returns an error if the repository is not ACTIVE. */
export function chooseRepository(
  entries: readonly ListEntry<ProjectRepository>[],
  wanted: WantedRepository,
): Result<ProjectRepository, NotScanned> {
  const found = findRepository(entries, wanted);
  if (!found.ok) return found;
  const fault = repositoryFault(found.value, calledIn(wanted));
  return fault === undefined ? found : err(fault);
}

/**
 * Finds the repository whose id is the input `repository-id`. Without the input, finds the repository with the wanted
 * owner and name, and ignores case. Among several, takes the one whose `url` is on this GitHub server.
 *
 * Never guesses: two matches, or a malformed entry that may be the right one, are an error.
 */
export function findRepository(
  entries: readonly ListEntry<ProjectRepository>[],
  wanted: WantedRepository,
): Result<ProjectRepository, NotScanned> {
  const { repositoryId } = wanted;
  const chosen =
    repositoryId === undefined ? repositoryByName(entries, wanted) : repositoryById(entries, repositoryId);
  if (!chosen.ok) return chosen;
  if (chosen.value !== undefined) return ok(chosen.value);
  const { sound, malformed } = splitEntries(entries);
  const same = sound.filter((repository) => mayBeCalled(repository, wanted));
  const missing = notListed(calledIn(wanted));
  const cause = `${missing.cause}${leftOutSentence(malformed)}`;
  return err({ ...missing, cause, ...(same.length > 0 && { nextStep: setId(same) }) });
}

function setId(repositories: readonly ProjectRepository[]): string {
  return `Set \`repository-id\` in the workflow and push. Use one of: ${listed(repositories.map(({ id, url }) => `${id} (${url})`))}.`;
}

/** Names the repository for messages. */
export function calledIn({ repositoryId, owner, name }: Omit<WantedRepository, 'serverUrl'>): string {
  return repositoryId ?? `${owner}/${name}`;
}

function repositoryByName(
  entries: readonly ListEntry<ProjectRepository>[],
  wanted: WantedRepository,
): Result<ProjectRepository | undefined, NotScanned> {
  const { sound, malformed } = splitEntries(entries);
  const doubtful = malformed.filter(({ readable }) => mayBeCalled(readable, wanted));
  if (doubtful.length > 0) {
    const fix = 'Set `repository-id` to the id of this repository in the service';
    return err(malformedCandidate('repositories', doubtful, fix));
  }
  const { owner, name, serverUrl } = wanted;
  const same = sound.filter((repository) => mayBeCalled(repository, wanted));
  if (same.length <= 1) return ok(same[0]);
  const here = same.filter(({ url }) => hostOf(url) === hostOf(serverUrl));
  if (here.length === 1) return ok(here[0]);
  return err({
    reason: 'configuration',
    cause: `The project has ${same.length} repositories named \`${foreignLine(`${owner}/${name}`)}\`.`,
    nextStep: setId(same),
  });
}

/**
 * True if the owner and the name are those of the wanted repository. If only one of them can be read, compares only
 * this one. False if neither can be read.
 */
function mayBeCalled(
  readable: { readonly owner?: string | undefined; readonly name?: string | undefined },
  wanted: WantedRepository,
): boolean {
  const { owner, name } = readable;
  if (owner === undefined && name === undefined) return false;
  return sameWord(owner ?? wanted.owner, wanted.owner) && sameWord(name ?? wanted.name, wanted.name);
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Returns the host of an address, also of `git@host:owner/name`; undefined if there is none. */
function hostOf(address: string): string | undefined {
  const scpLike = /^[^/@:\s]+@([^/:\s]+):/.exec(address);
  if (scpLike !== null) return scpLike[1]?.toLowerCase();
  const url = URL.parse(address);
  return url === null || url.host === '' ? undefined : url.host.toLowerCase();
}

/** Matches the word "diff" in upper or lower case. No letter may stand before or after it. */
const DIFF = /(?<!\p{L})diff(?!\p{L})/iu;

/** How messages name the kinds of presets. */
const PRESETS: Readonly<
  Record<ScanKind, { readonly one: string; readonly none: string; readonly several: string }>
> = {
  diff: {
    one: 'diff preset',
    none: 'no preset that looks like a diff preset',
    several: 'presets that look like diff presets',
  },
  full: {
    one: 'preset for full scans',
    none: 'no preset besides diff presets',
    several: 'presets that do not look like diff presets',
  },
};

/**
 * Chooses the preset whose `ref` the input `preset` names. If the input is empty, chooses by the refs and the names:
 * for a diff scan, the only preset that looks like a diff preset; for a full scan, the only preset that does not look
 * like a diff preset.
 *
 * A malformed entry that may be the right preset is an error, because the choice is never a guess.
 */
export function choosePreset(
  entries: readonly ListEntry<Preset>[],
  ref: string | undefined,
  kind: ScanKind = 'diff',
): Result<Preset, NotScanned> {
  const { sound: presets, malformed } = splitEntries(entries);
  const isMeant = (shown: ShownPreset) => (ref === undefined ? isOfKind(shown, kind) : shown.ref === ref);
  const { one, none, several } = PRESETS[kind];
  const doubtful = malformed.filter(({ readable }) => isMeant(readable));
  if (doubtful.length > 0) {
    const fix = `Set \`preset\` to the ref of ${ref === undefined ? 'the' : 'another'} ${one}`;
    return err(malformedCandidate('presets', doubtful, fix));
  }
  const matching = presets.filter(isMeant);
  const candidates = ref === undefined ? matching : matching.slice(0, 1);
  const [preset, ...others] = candidates;
  const all = listed(presets.map(({ ref, name }) => `${ref} (${name})`));
  if (preset !== undefined && others.length === 0) {
    // A diff scan accepts a chosen preset of any name, because a diff preset can have any name. A full scan refuses a
    // preset with "diff" in the ref or the name.
    return kind === 'full' && looksLikeDiff(preset) ? err(diffPresetForAll(preset, all)) : ok(preset);
  }
  const cause =
    ref !== undefined
      ? `The project has no preset with the ref \`${foreignLine(ref)}\`.`
      : preset === undefined
        ? `The project has ${none}.`
        : `The project has ${candidates.length} ${several}.`;
  return err({
    reason: 'configuration',
    cause: `${cause}${leftOutSentence(malformed)}`,
    nextStep:
      presets.length === 0
        ? 'Ask a project admin of the service to add one, then re-run this job.'
        : `Set \`preset\` to the ref of a ${one} and push. The project's presets: ${all}.`,
  });
}

interface ShownPreset {
  readonly ref?: string | undefined;
  readonly name?: string | undefined;
}

/** True if the ref or the name of the preset contains "diff" as a word. */
export function looksLikeDiff({ ref = '', name = '' }: ShownPreset): boolean {
  return DIFF.test(ref) || DIFF.test(name);
}

/**
 * True if the preset looks like a preset for scans of this kind. False if the service shows neither the ref nor the
 * name of the preset.
 */
function isOfKind(shown: ShownPreset, kind: ScanKind): boolean {
  if (kind === 'diff') return looksLikeDiff(shown);
  return (shown.ref !== undefined || shown.name !== undefined) && !looksLikeDiff(shown);
}

function diffPresetForAll({ ref }: Preset, all: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `The preset \`${foreignLine(ref)}\` scans a change, but this event scans all files of the commit.`,
    nextStep: `Set \`preset\` to a preset of another kind and push. The project's presets: ${all}.`,
  };
}

/**
 * Returns the whole credits to reserve: the requested number, otherwise the preset's minimum. If the result is
 * undefined, the launch omits the field. Then the service uses its own minimum.
 */
export function chooseBudget(
  wanted: number | undefined,
  preset: Preset,
): Result<number | undefined, NotScanned> {
  const { minCredits } = preset;
  if (wanted === undefined) return ok(minCredits === 0 ? undefined : minCredits);
  if (wanted >= minCredits) return ok(wanted);
  return err({
    reason: 'configuration',
    cause: `The budget of ${wanted} credits is below the minimum of preset \`${foreignLine(preset.ref)}\` (${minCredits} credits).`,
    nextStep: `Set \`credit-budget\` to ${minCredits} or more, or remove it to use the minimum. Then push.`,
  });
}
