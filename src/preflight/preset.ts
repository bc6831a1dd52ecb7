import type { NotScanned } from '../domain/not-scanned.ts';
import { type ListEntry, type Preset, splitEntries } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { leftOutSentence, malformedCandidate } from '../scan-api/malformed.ts';
import { foreignLine } from '../text/foreign-text.ts';
import { listed } from '../text/listed.ts';

/** "diff" as a word of its own: no letter before or after it, in any case. */
const DIFF = /(?<!\p{L})diff(?!\p{L})/iu;

/**
 * The preset that the input names by its `ref`; otherwise the project's only diff preset. Never a guess: a malformed
 * entry that may be meant is an error.
 */
export function choosePreset(
  entries: readonly ListEntry<Preset>[],
  ref: string | undefined,
): Result<Preset, NotScanned> {
  const { sound: presets, malformed } = splitEntries(entries);
  const isMeant = (shown: { readonly ref?: string | undefined; readonly name?: string | undefined }) =>
    ref === undefined ? DIFF.test(shown.ref ?? '') || DIFF.test(shown.name ?? '') : shown.ref === ref;
  const doubtful = malformed.filter(({ readable }) => isMeant(readable));
  if (doubtful.length > 0) {
    const fix = `Set \`preset\` to the ref of ${ref === undefined ? 'the diff preset' : 'another diff preset'}. `;
    return err(malformedCandidate('presets', doubtful, fix));
  }
  const matching = presets.filter(isMeant);
  const candidates = ref === undefined ? matching : matching.slice(0, 1);
  const [preset, ...others] = candidates;
  if (preset !== undefined && others.length === 0) return ok(preset);

  const all = presets.length === 0 ? 'none' : listed(presets.map(({ ref, name }) => `${ref} (${name})`));
  const cause =
    ref !== undefined
      ? `The project has no preset with the ref \`${foreignLine(ref)}\`.`
      : preset === undefined
        ? 'The project has no preset that looks like a diff preset.'
        : `The project has ${candidates.length} presets that look like diff presets.`;
  return err({
    reason: 'configuration',
    cause: `${cause}${leftOutSentence(malformed)}`,
    nextStep: `Set \`preset\` to the ref of a diff preset and push. The project's presets: ${all}.`,
  });
}

/**
 * Whole credits to reserve: what was asked for, otherwise the preset's minimum; undefined leaves the field out, so
 * that the service applies its own floor.
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
