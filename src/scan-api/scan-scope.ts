import { type ShownGuidance, UNKNOWN_AREA } from '../domain/scan.ts';
import { firstOf, type Reader, text } from './lookup.ts';
import { hashOfText } from './wire-writes.ts';

/** Reads keys, or the keys of audit areas; `UNKNOWN_AREA` for one without a readable key. */
export const areaKeys: Reader<readonly string[]> = (value) =>
  Array.isArray(value)
    ? value.map((item: unknown) => text(item) ?? firstOf(item, ['key'], text) ?? UNKNOWN_AREA)
    : undefined;

const GUIDANCE_SOURCES: ReadonlyMap<string, ShownGuidance> = new Map([
  ['repository', { from: 'repository' }],
  ['scan', { from: 'launch' }],
]);

/** Reads the source of the guidance, or its text. */
export const shownGuidance: Reader<ShownGuidance> = (value) => {
  const shown = text(value);
  if (shown === undefined) return undefined;
  return GUIDANCE_SOURCES.get(shown) ?? { from: 'unknown', hash: hashOfText(shown) };
};

/** Accepts only values that show that there is none. */
export const noGuidance: Reader<ShownGuidance> = (value) =>
  value === null || value === '' ? { from: 'nowhere' } : undefined;
