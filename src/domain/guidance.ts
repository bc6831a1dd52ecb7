/** The file whose text is added to the guidance of a scan. Reports name the file and never show its text. */
export interface GuidanceSource {
  /** Path in the repository. */
  readonly path: string;
  /** The commit from which the file was read. It is never a commit of the change. */
  readonly commitSha: string;
  /** The length of the file in Unicode characters. */
  readonly characters: number;
  /** SHA-256 of the file's text, hexadecimal. */
  readonly hash: string;
}

/** How many digits of the hash the reports show. */
export const SHOWN_HASH_DIGITS = 8;

/** The service's limit, in Unicode characters. */
export const LONGEST_GUIDANCE = 100_000;

/**
 * Composes the guidance of one scan: the stored guidance, a blank line, then the file. If the launch sent only the
 * file, the service would ignore the stored guidance. If both texts are equal, returns only the file. Pure.
 * @param stored the guidance that the service stores; null if there is none
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
