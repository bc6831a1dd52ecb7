import { ITEMS, type Name } from '../../sandbox/contract/names.ts';
import { mayBe, type Typed } from './json-types.ts';
import { keyOf, type Member, recordsOf, withInner } from './records.ts';

/** The result for one of our names. */
export interface NameVerdict {
  /** `read anyway` means that the other document has a different name or type, but the action accepts it. */
  readonly state: 'confirmed' | 'read anyway' | 'wrong' | 'not found';
  /** Our name. For an enum value it is the name of the member, `=`, and the value. */
  readonly name: string;
  /** True if our name is an assumption, false if it is documented. */
  readonly assumed: boolean;
  /**
   * Why our name is not confirmed, and which unknown names of the other document could mean the same. Empty if our name
   * is confirmed.
   */
  readonly note: string;
}

type Finding = Pick<NameVerdict, 'state' | 'note'>;

const CONFIRMED: Finding = { state: 'confirmed', note: '' };

/**
 * Compares the names of one body of our contract with those of this body in another document. A missing member is
 * `not found`, even if its note lists members that could mean the same. If a record is missing, its documented members
 * are not reported.
 */
export function compareBody(ours: readonly Name[], theirs: readonly Name[]): NameVerdict[] {
  const theirRecords = recordsOf(theirs);
  /** For each of our members, its place in the body of the other document. Undefined if that body lacks the member. */
  const found = new Map<string, readonly string[] | undefined>();
  const placeOf = (place: readonly string[]): readonly string[] | undefined => {
    if (place.at(-1) !== ITEMS) return place.length === 0 ? [] : found.get(keyOf(place));
    const list = placeOf(place.slice(0, -1));
    return list && [...list, ITEMS];
  };
  const verdicts: NameVerdict[] = [];
  for (const [key, record] of recordsOf(ours)) {
    const here = placesOf(key);
    const there = placeOf(here);
    const others = (there && theirRecords.get(keyOf(there))) ?? new Map<string, Member>();
    const unknown = [...others.values()]
      .filter(({ name }) => !record.has(name))
      .flatMap((member) => withInner(theirRecords, there ?? [], member));
    for (const member of record.values()) {
      const { name, assumed } = member;
      const other = others.get(name);
      found.set(keyOf([...here, name]), there && other && [...there, name]);
      const said = {
        name: [...here, name].join('.').replaceAll('.[]', '[]'),
        assumed: assumed !== undefined,
      };
      if (there !== undefined || assumed !== undefined) {
        verdicts.push({
          ...said,
          ...(other ? judgeMember(member, other) : missing(member, unknown, others.size > 0)),
        });
      }
      verdicts.push(...judgeValues(said.name, member, other));
    }
  }
  return verdicts;
}

/** Makes the end of a note about a missing name: the unknown names in the file. Empty if there are none. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? '' : `; the file has ${names.join(', ')}`;
}

function placesOf(key: string): string[] {
  const place: unknown = JSON.parse(key);
  return Array.isArray(place) ? place.map(String) : [];
}

function judgeMember(ours: Member, theirs: Member): Finding {
  if (mayBe(ours, theirs)) return CONFIRMED;
  return { state: 'wrong', note: `of type ${theirs.types.join(' or ')}, not ${ours.types.join(' or ')}` };
}

/**
 * Makes the result for a missing member.
 * @param unknown the members of the other document's record whose names are not ours
 */
function missing(ours: Typed, unknown: readonly Typed[], isRecord: boolean): Finding {
  if (!isRecord) return { state: 'not found', note: 'nothing is said of this record' };
  const there = unknown.filter((theirs) => mayBe(ours, theirs)).map(({ name }) => name);
  return { state: 'not found', note: `no such member${listed(there)}` };
}

/** Compares enum values. If the other file has no enum, our documented values are not reported as missing. */
function judgeValues(name: string, ours: Member, theirs: Member | undefined): NameVerdict[] {
  const values = [...(theirs?.values.keys() ?? [])];
  const unknown = values.filter((word) => !ours.values.has(word));
  const judge = (word: string): Finding => {
    if (values.includes(word)) return CONFIRMED;
    return {
      state: 'not found',
      note: values.length === 0 ? 'no words are listed' : `no such word${listed(unknown)}`,
    };
  };
  return [...ours.values]
    .filter(([, assumed]) => values.length > 0 || assumed !== undefined)
    .map(([word, assumed]) => ({ name: `${name}=${word}`, assumed: assumed !== undefined, ...judge(word) }));
}
