/** The file that adds to the guidance of a scan. Reports name the file and never show its text. */
export interface GuidanceSource {
  /** Path in the repository. */
  readonly path: string;
  /** The commit at which the file was read; never a commit of the change. */
  readonly commitSha: string;
  /** Length of the file. */
  readonly characters: number;
  /** SHA-256 of the file's text, hexadecimal. */
  readonly hash: string;
}

/** Reports show this many digits of the hash. */
export const SHOWN_HASH_DIGITS = 8;

/** The service's limit, in characters. */
export const LONGEST_GUIDANCE = 100_000;

/**
 * Composes the guidance of one scan. It replaces the guidance that the service stores for the repository. So the stored
 * guidance comes first, then a blank line, then the file; equal texts are sent once. Pure.
 * @param stored guidance in the service; null if there is none
 */
export function composeGuidance(stored: string | null, file: string): string {
  const text = stored?.trim() ?? '';
  if (text === '' || text === file.trim()) return file;
  return `${text}\n\n${file}`;
}

/** Counts Unicode characters, as the service does. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
