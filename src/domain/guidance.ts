/** Where the guidance of a scan comes from, besides the service. No place shows its text. */
export interface GuidanceSource {
  /** In the repository. */
  readonly path: string;
  /** The commit at which the file was read; never one of the change. */
  readonly commitSha: string;
  /** Of the file. */
  readonly characters: number;
  /** SHA-256 of the file's text, hexadecimal. */
  readonly hash: string;
}

/** So many of the hash are shown. */
export const SHOWN_HASH_DIGITS = 8;

/** The most that the service takes, in characters. */
export const LONGEST_GUIDANCE = 100_000;

/**
 * The guidance of one scan. It takes the place of the guidance that the service has for the repository, so that comes
 * first: then a blank line, then the file. Equal texts are sent once. Pure.
 * @param stored in the service; null where there is none
 */
export function composeGuidance(stored: string | null, file: string): string {
  const text = stored?.trim() ?? '';
  if (text === '' || text === file.trim()) return file;
  return `${text}\n\n${file}`;
}

/** As the service counts: characters of Unicode. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
