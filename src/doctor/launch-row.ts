import type { ProjectRepository } from '../domain/project.ts';
import { hashOfText, LAUNCH_NAMES, type LaunchParameters, launchBody } from '../scan-api/wire-writes.ts';
import type { ChosenPreset } from './preset-rows.ts';
import { code, ok, type Row, skipped } from './row.ts';

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
