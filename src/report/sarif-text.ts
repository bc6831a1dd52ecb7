import { createHash } from 'node:crypto';
import { logLine, logLines, type SafeLogText } from '../text/log-text.ts';

/** Breaks a token for those readers that look for mentions and references in plain text. */
const BREAK = '\u200b';

/**
 * Foreign text as the plain text of a SARIF message. It is fit for a log, where a viewer may print it; and nothing in it
 * is an embedded link (`[text](place)`, SARIF 2.1.0 section 3.11.6) or a placeholder (`{0}`, section 3.11.5). Other
 * braces stay single: viewers that know no escape would double them in every piece of code.
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

/** The escape of section 3.11.5, which holds for markdown too. */
export function withoutPlaceholders(text: string): string {
  return text.replace(/\{(\d+)\}/g, '{{$1}}');
}

/** The first 16 hexadecimal digits of a hash: the same values always give the same name. */
export function hashOf(...values: readonly (string | number | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

/** The ASCII letters and digits of a text in lower case, joined by dashes. */
export function slugOf(text: string, longest: number): string {
  const segments = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return segments.join('-').slice(0, longest).replace(/-$/, '');
}
