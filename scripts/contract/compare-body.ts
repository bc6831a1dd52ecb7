import { ITEMS, type Name } from '../../sandbox/contract/names.ts';
import { aliasesOf } from './action-names.ts';
import { likelyNames, mayBe } from './likely-names.ts';
import { keyOf, type Member, recordsOf, withInner } from './records.ts';

/** What another body says of one name of ours. */
export interface NameVerdict {
  /** `read anyway`: called otherwise, and the action looks for it under that name too. */
  readonly state: 'confirmed' | 'read anyway' | 'wrong' | 'not found';
  /** Ours; a word of a member after its name and `=`. */
  readonly name: string;
  /** Is it an assumption? Otherwise it is documented. */
  readonly assumed: boolean;
  /** What stands there instead, or why it was not found; empty where it is confirmed. */
  readonly note: string;
  /** What it is likely called there, dotted where that leads into a record. */
  readonly likely?: string;
}

type Finding = Pick<NameVerdict, 'state' | 'note' | 'likely'>;

const CONFIRMED: Finding = { state: 'confirmed', note: '' };

/**
 * Holds the names of one body against those of another. A member that is likely called otherwise is followed there, so
 * that its own members are compared; of what is documented within a missing record nothing more is said.
 */
export function compareBody(ours: readonly Name[], theirs: readonly Name[]): NameVerdict[] {
  const theirRecords = recordsOf(theirs);
  /** Where each member of ours is in the other body; undefined: nowhere. */
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
    const missing = [...record.values()].filter(({ name }) => !others.has(name));
    const unknown = [...others.values()]
      .filter(({ name }) => !record.has(name))
      .flatMap((member) => withInner(theirRecords, there ?? [], member));
    const likely = likelyNames(missing, unknown, aliasesOf);
    for (const member of record.values()) {
      const { name, assumed } = member;
      const other = others.get(name) ?? unknown.find((one) => one.name === likely.get(name));
      found.set(keyOf([...here, name]), there && other && [...there, ...other.name.split('.')]);
      const said = {
        name: [...here, name].join('.').replaceAll('.[]', '[]'),
        assumed: assumed !== undefined,
      };
      if (there !== undefined || assumed !== undefined) {
        verdicts.push({ ...said, ...judgeMember(member, other, others.size > 0) });
      }
      verdicts.push(...judgeValues(said.name, member, other));
    }
  }
  return verdicts;
}

function placesOf(key: string): string[] {
  const place: unknown = JSON.parse(key);
  return Array.isArray(place) ? place.map(String) : [];
}

function judgeMember(ours: Member, theirs: Member | undefined, isRecord: boolean): Finding {
  if (theirs === undefined) {
    return { state: 'not found', note: isRecord ? 'no such member' : 'nothing is said of this record' };
  }
  if (theirs.name !== ours.name) {
    return { state: 'wrong', note: `likely ${theirs.name}`, likely: theirs.name };
  }
  if (mayBe(ours, theirs)) return CONFIRMED;
  return { state: 'wrong', note: `of type ${theirs.types.join(' or ')}, not ${ours.types.join(' or ')}` };
}

/** Where the other file lists no enum values, those that are documented are not missed. */
function judgeValues(name: string, ours: Member, theirs: Member | undefined): NameVerdict[] {
  const listed = [...(theirs?.values.keys() ?? [])];
  const typed = (word: string) => ({ name: word, types: ['string'] });
  const missing = [...ours.values.keys()].filter((word) => !listed.includes(word)).map(typed);
  const unknown = listed.filter((word) => !ours.values.has(word)).map(typed);
  const likely = likelyNames(missing, unknown, () => []);
  const judge = (word: string): Finding => {
    const other = likely.get(word);
    if (listed.includes(word)) return CONFIRMED;
    if (other !== undefined) return { state: 'wrong', note: `likely ${other}` };
    return { state: 'not found', note: listed.length === 0 ? 'no words are listed' : 'no such word' };
  };
  return [...ours.values]
    .filter(([, assumed]) => listed.length > 0 || assumed !== undefined)
    .map(([word, assumed]) => ({ name: `${name}=${word}`, assumed: assumed !== undefined, ...judge(word) }));
}
