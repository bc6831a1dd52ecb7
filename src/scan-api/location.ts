import type { FindingLocation } from '../domain/finding.ts';
import { allOf, type ForeignRecord, firstOf, type Reader, text, whole } from './lookup.ts';

/** Where a location may stand in a finding, and the names of its members. */
export interface LocationNames {
  /** Prefix of the place, and the names that its file may have there. */
  readonly places: readonly (readonly [prefix: string, files: readonly string[]])[];
  readonly startLine: readonly string[];
  readonly endLine: readonly string[];
}

/** Reads every file that is named, each once. A place of a list that names none is an empty text. */
export function pathsReader({ places }: LocationNames): (item: ForeignRecord) => readonly string[] {
  return (item) => {
    const paths = places.flatMap(([prefix, files]) => {
      if (!prefix.endsWith(FIRST))
        return allOf(
          item,
          files.map((file) => prefix + file),
          text,
        );
      const list = firstOf(item, [prefix.slice(0, -FIRST.length)], records) ?? [];
      return list.flatMap((place) => {
        const named = allOf(place, files, text);
        return named.length === 0 ? [''] : named;
      });
    });
    return [...new Set(paths)];
  };
}

/** How the place of a list's first entry ends. */
const FIRST = '.0.';

const records: Reader<readonly unknown[]> = (value) => (Array.isArray(value) ? value : undefined);

/** Reads the first place that names a file; the lines from there, or from another place that names no other file. */
export function locationReader(names: LocationNames): (item: ForeignRecord) => FindingLocation | undefined {
  const candidates = names.places.map(([prefix, files]) => {
    const there = (members: readonly string[]) => members.map((member) => prefix + member);
    return { files: there(files), startLine: there(names.startLine), endLine: there(names.endLine) };
  });
  return (item) => {
    const places = candidates.map(({ files, startLine, endLine }) => {
      const start = firstOf(item, startLine, whole(1));
      const end = start === undefined ? undefined : firstOf(item, endLine, whole(start));
      return { path: firstOf(item, files, text), startLine: start, endLine: end };
    });
    const path = places.find((place) => place.path !== undefined)?.path;
    if (path === undefined) return undefined;
    const sameFile = places.filter((place) => place.path === undefined || place.path === path);
    const lines = sameFile.find(({ startLine }) => startLine !== undefined);
    return { path, startLine: lines?.startLine, endLine: lines?.endLine };
  };
}
