import { ITEMS, type Name } from '../../sandbox/contract/names.ts';

/** A member of a record in one body. */
export interface Member {
  readonly name: string;
  readonly types: readonly string[];
  /** Why the member is assumed. Undefined if the contract documents it. */
  readonly assumed: string | undefined;
  /**
   * The key is an enum value of the member. The value says why it is assumed. Undefined if the contract documents it.
   */
  readonly values: Map<string, string | undefined>;
}

/** The records of a body. The key describes the position. Outer records come before inner ones. */
export type Records = ReadonlyMap<string, Map<string, Member>>;

export function keyOf(place: readonly string[]): string {
  return JSON.stringify(place);
}

export function recordsOf(names: readonly Name[]): Records {
  const records = new Map<string, Map<string, Member>>();
  for (const { at, word, types, assumed } of names) {
    const [key, name] = [keyOf(at.slice(0, -1)), at.at(-1) ?? ''];
    const record = records.get(key) ?? new Map<string, Member>();
    records.set(key, record);
    const known = record.get(name);
    if (word !== undefined) known?.values.set(word, assumed);
    else if (known === undefined) record.set(name, { name, types, assumed, values: new Map() });
    else record.set(name, { ...known, types: [...new Set([...known.types, ...types])] });
  }
  return records;
}

/**
 * Returns a member and the members inside it: those of its record, or those of the records in its list. The
 * name of an inner member is a path with dots.
 */
export function withInner(records: Records, place: readonly string[], member: Member): Member[] {
  const inside = [[], [ITEMS]].flatMap((items) => {
    const inner = records.get(keyOf([...place, member.name, ...items]));
    const dotted = [member.name, ...items].join('.');
    return [...(inner?.values() ?? [])].map((one) => ({ ...one, name: `${dotted}.${one.name}` }));
  });
  return [member, ...inside];
}
