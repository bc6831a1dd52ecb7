import { withStoredGuidance } from '../change/guidance-file.ts';
import { countCharacters, SHOWN_HASH_DIGITS } from '../domain/guidance.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { GuidanceFacts } from './facts.ts';
import { code, errorOf, type Fixer, ok, type Row, skipped } from './row.ts';

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
