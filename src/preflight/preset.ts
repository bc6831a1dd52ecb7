import type { NotScanned } from '../domain/not-scanned.ts';
import { type ListEntry, type Preset, splitEntries } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { ScanKind } from '../domain/target.ts';
import { leftOutSentence, malformedCandidate } from '../scan-api/malformed.ts';
import { foreignLine } from '../text/foreign-text.ts';
import { listed } from '../text/listed.ts';

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
