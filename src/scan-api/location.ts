import type { FindingLocation } from '../domain/finding.ts';
import { type ForeignRecord, firstOf, isRecord, text, whole } from './lookup.ts';

/** The members of a finding that may contain its location. */
export interface LocationNames {
  /**
   * The places in a finding that may hold its location. `prefix` is the path of the place, and `files` are the members
   * of the place that may name the file.
   */
  readonly places: readonly (readonly [prefix: string, files: readonly string[]])[];
  readonly startLine: readonly string[];
  readonly endLine: readonly string[];
}

/**
 * Creates a function that reads the paths of all files of a finding, each path once. An empty path stands for an
 * unknown file. A file is unknown if a list entry does not name it, or if its value cannot be read.
 */
export function pathsReader({ places }: LocationNames): (item: ForeignRecord) => readonly string[] {
  return (item) => {
    const paths = places.flatMap(([prefix, files]) => {
      if (prefix === '') return filesOf(item, files);
      const isList = prefix.endsWith(FIRST);
      const place = item[prefix.slice(0, isList ? -FIRST.length : -1)];
      if (isAbsent(place)) return [];
      if (!isList) return isRecord(place) ? filesOf(place, files) : [''];
      if (!Array.isArray(place)) return [''];
      return place.flatMap((entry: unknown) => {
        const named = isRecord(entry) ? filesOf(entry, files) : [];
        return named.length === 0 ? [''] : named;
      });
    });
    return [...new Set(paths)];
  };
}

/** The end of a prefix that leads to the first entry of a list. */
const FIRST = '.0.';

function filesOf(place: ForeignRecord, files: readonly string[]): string[] {
  return files.flatMap((file) => (isAbsent(place[file]) ? [] : (text(place[file]) ?? '')));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/**
 * Creates a function that reads the location of a finding. The file is from the first place that names a file. The
 * lines are from the first place that has lines and does not name a different file.
 */
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
