import path from 'node:path';
import { ALLOWABLE_REASONS, type Reason } from '../domain/not-scanned.ts';

/** Receives what is wrong with an input. The text completes a sentence that begins with the input's name. */
type Fault = (sentence: string) => void;

export const BASE_URL_FORM =
  'an https URL ending in `/api/v1`, without user, query or fragment (http only for a loopback host)';

/**
 * Reads an https address that ends with `/api/v1`. Accepts http only for a loopback host. Returns the address without a
 * trailing slash, or an empty text if it is invalid.
 */
export function readBaseUrl(given: string, fault: Fault): string {
  const url = URL.parse(given);
  const sound =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(given) &&
    /\/api\/v1\/?$/.test(url.pathname);
  if (sound) return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  // The message omits the address, because it may contain a password.
  fault(`is not valid. Use ${BASE_URL_FORM}.`);
  return '';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Reads a JSON object. Returns an empty object if the input is empty or invalid. */
export function readObject(given: string | undefined, fault: Fault): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Invalid JSON is reported below, with the valid form.
  }
  fault('is not a JSON object. Use for example `{"commit": null, "commitSha": "…"}`.');
  return {};
}

/** Reads the path of a file in the repository. The path has `/` between its names, and no name is `.` or `..`. */
export function readRepositoryPath(given: string | undefined, fault: Fault): string | undefined {
  if (given === undefined) return undefined;
  const names = given.split('/');
  const sound = !/[\\\p{Cc}]/u.test(given) && names.every((name) => !['', '.', '..'].includes(name));
  if (sound) return given;
  fault(
    `is ${quote(given)}. Use the path of a file in the repository, for example \`.github/security-guidance.md\`.`,
  );
  return undefined;
}

/** The reasons that `allow-unscanned` does not accept, each with an explanation. */
const NOT_ALLOWABLE: ReadonlyMap<string, string> = new Map([
  ['configuration', ', which never passes'],
  ['paths', ', which the input `paths-unscanned` allows by itself'],
]);

/** Reads `none`, or reasons separated by commas or newlines. Reports unknown words. */
export function readReasons(given: string, fault: Fault): readonly Reason[] {
  const values = given
    .split(/[,\n]/)
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
  if (values.length === 1 && values[0] === 'none') return [];
  const reasons: Reason[] = [];
  for (const word of values) {
    const reason = ALLOWABLE_REASONS.find((candidate) => candidate === word);
    if (reason === undefined) {
      const why = NOT_ALLOWABLE.get(word) ?? '';
      fault(`contains ${quote(word)}${why}. Use none, or any of: ${ALLOWABLE_REASONS.join(', ')}.`);
    } else reasons.push(reason);
  }
  return reasons;
}

/**
 * True if the path is inside the folder. A relative path starts at the folder. Compares only the paths, and does not
 * read the disk.
 */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, path.resolve(folder, file));
  return (
    relative !== '' &&
    relative !== '..' &&
    !relative.startsWith(`..${path.sep}`) &&
    !path.isAbsolute(relative)
  );
}

/** Writes the given value as code. Cuts it if it is too long for a sentence. */
export function quote(value: string): string {
  const shown = value.replaceAll('`', "'");
  return `\`${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}\``;
}
