import type { NotScanned } from '../domain/not-scanned.ts';
import { type Preset, splitEntries } from '../domain/project.ts';
import type { Result } from '../domain/result.ts';
import { chooseBudget, choosePreset, looksLikeDiff } from '../preflight/preset.ts';
import { foreignLine } from '../text/foreign-text.ts';
import type { ServiceFacts } from './facts.ts';
import { explainRead, fixerOf } from './failed-read.ts';
import { code, errorOf, ok, type Row, skipped, warning } from './row.ts';

/** The most presets that the table lists. Our choice. A project usually has only a few. */
const MOST_SHOWN = 20;
const LONGEST_DESCRIPTION = 120;

/** The preset and the budget of a launch. */
export interface ChosenPreset {
  readonly preset: Preset;
  /** Undefined if the service chooses the minimum of the preset. */
  readonly creditBudget: number | undefined;
}

export interface PresetQuestion {
  /** The preset that the launch would name. Undefined if it would name none. */
  readonly ref: string | undefined;
  readonly creditBudget: number | undefined;
}

/**
 * The preset and the budget for a pull request. Undefined if the presets were not read, or if no preset or budget
 * fits.
 */
export function chosenPreset(
  service: ServiceFacts | undefined,
  { ref, creditBudget }: PresetQuestion,
): ChosenPreset | undefined {
  const presets = service?.lists?.presets;
  const preset = presets?.ok ? choosePreset(presets.value, ref) : undefined;
  const budget = preset?.ok ? chooseBudget(creditBudget, preset.value) : undefined;
  return preset?.ok && budget?.ok ? { preset: preset.value, creditBudget: budget.value } : undefined;
}

/** Rows about the presets: which preset each event uses, and whether the budget is enough. */
export function presetRows(service: ServiceFacts | undefined, question: PresetQuestion): readonly Row[] {
  const presets = service?.lists?.presets;
  if (presets === undefined) return [skipped('Preset', 'Not checked: the presets were not read.')];
  if (!presets.ok) return [errorOf('Preset', explainRead(presets.error), fixerOf(presets.error))];
  const { sound, malformed } = splitEntries(presets.value);
  const diff = choosePreset(presets.value, question.ref, 'diff');
  const full = choosePreset(presets.value, question.ref, 'full');
  const more = sound.length - MOST_SHOWN;
  return [
    ...sound.slice(0, MOST_SHOWN).map((preset) => ok('Preset', describe(preset))),
    ...(more > 0 ? [ok('Preset', `${more} more are not shown here.`)] : []),
    ...malformed
      .slice(0, MOST_SHOWN)
      .map(({ fault }) =>
        warning(
          'Preset',
          `The service lists a preset that is not as documented: ${fault}.`,
          'Support of the service',
          'Ask for presets as version 1 of the API documents them.',
        ),
      ),
    pullRequestRow(diff, full, question.ref),
    scheduleRow(full),
    ...budgetRows(diff, full, question),
  ];
}

function describe({ ref, name, minCredits, modelTier, description }: Preset): string {
  const minimum = minCredits === 0 ? 'no minimum of its own' : `at least ${minCredits} credits`;
  const tier = modelTier === undefined ? '' : `, model tier ${code(modelTier)}`;
  const about = description === undefined ? '' : ` ${foreignLine(description, LONGEST_DESCRIPTION)}`;
  return `${code(ref)} (${foreignLine(name)}): ${minimum}${tier}.${about}`;
}

type Choice = Result<Preset, NotScanned>;

function pullRequestRow(diff: Choice, full: Choice, ref: string | undefined): Row {
  if (!diff.ok) return errorOf('Pull request', diff.error, 'Workflow maintainer');
  const shown = code(diff.value.ref);
  if (ref !== undefined && full.ok && !looksLikeDiff(diff.value)) {
    return warning(
      'Pull request',
      `It would take ${shown}, whose name does not say that it scans a change. Any other preset refuses a base commit.`,
      'Workflow maintainer',
      'Check that this preset is a diff preset. On `schedule` and `workflow_dispatch` any other one is right.',
    );
  }
  return ok('Pull request', `It takes ${shown}. So do merge groups and pushes.`);
}

function scheduleRow(full: Choice): Row {
  if (full.ok) return ok('Schedule', `It takes ${code(full.value.ref)}. So does \`workflow_dispatch\`.`);
  return skipped(
    'Schedule',
    `Not possible with these inputs, and only a workflow on \`schedule\` or \`workflow_dispatch\` needs it. ${full.error.cause}`,
  );
}

function budgetRows(diff: Choice, full: Choice, { creditBudget }: PresetQuestion): readonly Row[] {
  const choices = [diff, full].flatMap((choice) => (choice.ok ? [choice.value] : []));
  const presets = [...new Map(choices.map((preset) => [preset.ref, preset])).values()];
  if (presets.length === 0) return [skipped('Budget', 'Not checked: no preset was chosen.')];
  return presets.map((preset, index) => {
    const budget = chooseBudget(creditBudget, preset);
    // A problem with the preset for full scans is no error, because a gate on pull requests never uses that preset.
    if (!budget.ok && index > 0)
      return skipped('Budget', `Not possible on a schedule. ${budget.error.cause}`);
    if (!budget.ok) return errorOf('Budget', budget.error, 'Workflow maintainer');
    const credits = budget.value === undefined ? 'the default of the service' : `${budget.value} credits`;
    return ok('Budget', `One scan by ${code(preset.ref)} reserves ${credits}.`);
  });
}
