import { withStoredGuidance } from '../change/guidance-file.ts';
import { countCharacters, SHOWN_HASH_DIGITS } from '../domain/guidance.ts';
import type { ProjectRepository } from '../domain/project.ts';
import type { NotScanned } from '../domain/result.ts';
import { planBase } from '../preflight/planned-base.ts';
import { parametersFault } from '../preflight/preflight.ts';
import { refuseTwoGuidances } from '../preflight/token-check.ts';
import type { InputReading } from '../runner/inputs.ts';
import { hashOfText, LAUNCH_NAMES, type LaunchParameters, launchBody } from '../scan-api/wire-writes.ts';
import type { GuidanceFacts } from './facts.ts';
import { code, error, errorOf, type Fixer, ok, type Row, skipped, warning } from './row.ts';
import type { ChosenPreset } from './service-rows.ts';

const MERGE_BASE = 'the merge base';
const HEAD = 'the head commit';
const PLACEHOLDERS: ReadonlySet<unknown> = new Set([MERGE_BASE, HEAD]);
/** Our choice: the table shows this many digits of a hash. They are enough to compare two texts. */
const HASH_DIGITS = 8;

/**
 * Shows the launch request for a pull request as the gate would send it. A field that `launch-parameters` sets appears
 * without its value. A guidance text is replaced by its length and hash.
 */
export function launchRow(
  repository: ProjectRepository | undefined,
  chosen: ChosenPreset | undefined,
  givenBase: string | undefined,
  { given, removes }: LaunchParameters,
  guidance: string | undefined,
): Row {
  if (repository === undefined || chosen === undefined) {
    return skipped('Launch request', 'Not known: the repository or the preset was not found.');
  }
  const scan = {
    repositoryId: repository.id,
    presetRef: chosen.preset.ref,
    creditBudget: chosen.creditBudget,
    baseSha: givenBase ?? MERGE_BASE,
    headSha: HEAD,
  };
  const fields = Object.entries(launchBody(scan, given, guidance)).map(([name, value]) =>
    Object.hasOwn(given, name) ? describeGiven(name, value) : describeChosen(name, value),
  );
  const removed = [...removes].map((field) => code(LAUNCH_NAMES[field]));
  const without = removed.length === 0 ? '' : ` \`launch-parameters\` removes ${removed.join(', ')}.`;
  return ok('Launch request', `${fields.join(', ')}.${without}`);
}

function describeChosen(name: string, value: unknown): string {
  if (name === LAUNCH_NAMES.guidance) return describeText(name, String(value));
  return `${code(name)}: ${PLACEHOLDERS.has(value) ? String(value) : code(String(value))}`;
}

function describeGiven(name: string, value: unknown): string {
  if (name !== LAUNCH_NAMES.guidance || typeof value !== 'string') {
    return `${code(name)}: from \`launch-parameters\``;
  }
  return describeText(name, value);
}

/** Describes a text by its length and hash, because the text itself may be private. */
function describeText(name: string, value: string): string {
  const hash = hashOfText(value).slice(0, HASH_DIGITS);
  return `${code(name)}: a text of ${[...value].length} characters, SHA-256 ${code(hash)}…`;
}

/** Rows about the file of `guidance-file` and the guidance that the service stores. None if the input is empty. */
export function guidanceRows(guidance: GuidanceFacts | undefined): readonly Row[] {
  if (guidance === undefined) return [];
  const { file, stored } = guidance;
  if (file === undefined) return [skipped('Guidance', 'Not checked: the default branch was not read.')];
  if (!file.ok) return [problem(file.error, 'Workflow maintainer')];
  const { path, commitSha, characters, hash } = file.value;
  const what = `${code(path)} at \`${commitSha.slice(0, 7)}\` has ${characters} characters, SHA-256 \`${hash.slice(0, SHOWN_HASH_DIGITS)}\`.`;
  if (stored === undefined) return [skipped('Guidance', `${what} The stored guidance was not read.`)];
  if (!stored.ok) return [problem(stored.error, 'Project admin of the service')];
  const text = withStoredGuidance(file.value, stored.value);
  if (!text.ok) return [problem(text.error, 'Workflow maintainer')];
  return [
    ok(
      'Guidance',
      `${what} With the stored guidance, the gate sends ${countCharacters(text.value)} characters.`,
    ),
  ];
}

/** The guidance that a scan would get. Undefined if the guidance was not read, or is not valid. */
export function guidanceText(guidance: GuidanceFacts | undefined): string | undefined {
  if (!guidance?.file?.ok || !guidance.stored?.ok) return undefined;
  const text = withStoredGuidance(guidance.file.value, guidance.stored.value);
  return text.ok ? text.value : undefined;
}

/**
 * Makes the row of a failure. A wrong setup is an error, because the gate would fail too. A temporary failure is a
 * warning.
 */
function problem(failure: NotScanned, who: Fixer): Row {
  const row = errorOf('Guidance', failure, who);
  return failure.reason === 'configuration' ? row : { ...row, level: 'warning' };
}

const FIX_INPUT = 'Fix the input in the workflow of the gate, and here.';
const FIX_OPTION =
  'Fix the option of the same name, such as `--base-url`, and the input in the workflow of the gate.';

/** Rows about the inputs alone. @param headSha a commit to use as the head; empty if there is none */
export function inputRows(
  { inputs, faults, missing, warnings, withoutToken }: InputReading,
  parameters: LaunchParameters,
  headSha: string,
  isCommandLine: boolean,
): readonly Row[] {
  const fix = isCommandLine ? FIX_OPTION : FIX_INPUT;
  const stops = [
    parametersFault(parameters),
    refuseTwoGuidances(inputs.setup.guidanceFile, parameters),
    headSha === '' ? undefined : baseFault(),
  ];
  const rows = [
    ...[...faults, ...missing].map((sentence) => error('Inputs', sentence, 'Workflow maintainer', fix)),
    ...(withoutToken ? [isCommandLine ? NO_TOKEN_VARIABLE : NO_TOKEN] : []),
    ...stops.flatMap((failure) =>
      failure === undefined ? [] : [errorOf('Inputs', failure, 'Workflow maintainer')],
    ),
    ...warnings.map((sentence) => warning('Inputs', sentence, 'Workflow maintainer', fix)),
  ];
  return rows.length > 0 ? rows : [ok('Inputs', 'All inputs are valid.')];

  function baseFault() {
    const planned = planBase(headSha, inputs.setup.baseSha, parameters);
    return planned.ok ? undefined : planned.error;
  }
}

const NO_TOKEN = error(
  'Inputs',
  '`api-token` is empty.',
  'Workflow maintainer',
  'Check that the secret exists and its name matches. Run the doctor on `workflow_dispatch`: on pull requests from forks and Dependabot, GitHub can withhold secrets.',
);
const NO_TOKEN_VARIABLE = error(
  'Inputs',
  'There is no token for the service.',
  'Workflow maintainer',
  'Set the environment variable `SCANGATE_API_TOKEN` to the API token of the project.',
);
