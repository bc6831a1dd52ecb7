import { createHash } from 'node:crypto';
import { logLine, logLines, type SafeLogText } from '../text/log-text.ts';

/** Breaks a token for readers that look for mentions and references in plain text. */
const BREAK = '\u200b';

/**
 * Escapes foreign text for a SARIF message. A viewer may print it in a log, so it is safe there too. It contains no
 * embedded link (`[text](place)`, SARIF 2.1.0 section 3.11.6) and no placeholder (`{0}`, section 3.11.5). Other braces
 * are not doubled, because viewers that do not know this escape would show both.
 */
export function plainText(text: string): string {
  return withoutMeaning(logLines(text));
}

/** The same on one line. */
export function plainLine(text: string): string {
  return withoutMeaning(logLine(text));
}

function withoutMeaning(text: SafeLogText): string {
  return withoutPlaceholders(text.replaceAll('](', '] (').replace(/@(?=\w)|#(?=\d)/g, `$&${BREAK}`));
}

/** The escape of section 3.11.5, which also applies to markdown. */
export function withoutPlaceholders(text: string): string {
  return text.replace(/\{(\d+)\}/g, '{{$1}}');
}

/** The first 16 hexadecimal digits of a hash of the values. */
export function hashOf(...values: readonly (string | number | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

/** The ASCII letters and digits of a text, in lower case and joined by dashes. */
export function slugOf(text: string, longest: number): string {
  const segments = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return segments.join('-').slice(0, longest).replace(/-$/, '');
}
