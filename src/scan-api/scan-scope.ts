import { type ShownGuidance, UNKNOWN_AREA } from '../domain/scan.ts';
import { firstOf, type Reader, text } from './lookup.ts';
import { hashOfText } from './wire-writes.ts';

/**
 * Reads the keys of audit areas, from a list of keys or of records with a `key`. `UNKNOWN_AREA` stands for a key that
 * cannot be read.
 */
export const areaKeys: Reader<readonly string[]> = (value) =>
  Array.isArray(value)
    ? value.map((item: unknown) => text(item) ?? firstOf(item, ['key'], text) ?? UNKNOWN_AREA)
    : undefined;

const GUIDANCE_SOURCES: ReadonlyMap<string, ShownGuidance> = new Map([
  ['repository', { from: 'repository' }],
  ['scan', { from: 'launch' }],
]);

/** Reads what a scan shows about its guidance: the source of the guidance, or its text. */
export const shownGuidance: Reader<ShownGuidance> = (value) => {
  const shown = text(value);
  if (shown === undefined) return undefined;
  return GUIDANCE_SOURCES.get(shown) ?? { from: 'unknown', hash: hashOfText(shown) };
};

/** Accepts the values that show that a scan has no guidance. */
export const noGuidance: Reader<ShownGuidance> = (value) =>
  value === null || value === '' ? { from: 'nowhere' } : undefined;
