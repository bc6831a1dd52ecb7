import { createHash } from 'node:crypto';
import { logLine, logLines, type SafeLogText } from '../text/log-text.ts';

/** An invisible break. It keeps viewers from finding mentions and references in plain text. */
const BREAK = '\u200b';

/**
 * Escapes foreign text for a SARIF message. The text is also safe for a log, because a viewer may print it there. It
 * has no embedded link (`[text](place)`, SARIF 2.1.0 section 3.11.6) and no placeholder (`{0}`, section 3.11.5). The
 * braces of a placeholder are doubled. All other braces stay single, because some viewers would show a doubled brace as
 * two braces.
 */
export function plainText(text: string): string {
  return withoutMeaning(logLines(text));
}

/** Escapes foreign text like `plainText`, as one line. */
export function plainLine(text: string): string {
  return withoutMeaning(logLine(text));
}

function withoutMeaning(text: SafeLogText): string {
  return withoutPlaceholders(text.replaceAll('](', '] (').replace(/@(?=\w)|#(?=\d)/g, `$&${BREAK}`));
}

/** Escapes placeholders as section 3.11.5 of SARIF 2.1.0 requires, in plain text and in markdown. */
export function withoutPlaceholders(text: string): string {
  return text.replace(/\{(\d+)\}/g, '{{$1}}');
}

/** Hashes the values. Returns the first 16 hexadecimal digits. */
export function hashOf(...values: readonly (string | number | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

/** Makes a name from a text: its ASCII letters and digits, in lower case and joined by dashes. */
export function slugOf(text: string, longest: number): string {
  const segments = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return segments.join('-').slice(0, longest).replace(/-$/, '');
}
