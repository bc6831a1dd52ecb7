import { type Name, namesOf } from '../../sandbox/contract/names.ts';
import { type ContractOperation, operationsOf } from '../../sandbox/contract/operations.ts';
import type { JsonObject } from '../../sandbox/json.ts';
import { candidatesOf } from './action-names.ts';
import { matchEndpoints } from './match-endpoints.ts';

/** The result for one of our names, and where the name is. */
export interface Verdict extends Finding {
  readonly endpoint: string;
  /** `request`, `answer 200`, `query` or `endpoint`. */
  readonly place: string;
  /** Our name. For an enum value it is the name of the member, `=`, and the value. */
  readonly name: string;
  /** True if our name is an assumption, false if it is documented. */
  readonly assumed: boolean;
}

interface Finding {
  /** `read anyway` means that the other document has a different name or type, but the action accepts it. */
  readonly state: 'confirmed' | 'read anyway' | 'wrong' | 'not found';
  /**
   * Why our name is not confirmed, and which unknown names of the other document could mean the same. Empty if our name
   * is confirmed.
   */
  readonly note: string;
}

type Found = Omit<Verdict, 'endpoint'>;

export const NO_ENDPOINT: Finding = { state: 'not found', note: 'no such endpoint' };
const CONFIRMED: Finding = { state: 'confirmed', note: '' };

/**
 * Compares every name of our contract with another OpenAPI document. The results have the order of our contract. If the
 * other document lacks an endpoint or a record, the documented names in it have no results.
 */
export function compareContracts(ours: JsonObject, theirs: JsonObject): Verdict[] {
  return matchEndpoints(operationsOf(ours), operationsOf(theirs)).matches.flatMap((match) => {
    const [own, other] = [match.ours, match.theirs];
    const endpoint = nameOf(own);
    const names = bodyVerdicts(endpoint, namesOf(ours, [own]), other ? namesOf(theirs, [other]) : []);
    const itself = { place: 'endpoint', name: '', assumed: false };
    const note = NO_ENDPOINT.note + listed(match.unknown.map(nameOf));
    const all: Found[] = other
      ? [{ ...itself, ...CONFIRMED }, ...queryVerdicts(own, other), ...names]
      : [
          { ...itself, ...notFound(note) },
          ...names.filter(({ assumed }) => assumed).map((one) => ({ ...one, ...NO_ENDPOINT })),
        ];
    return all.map((one) => ({ endpoint, ...one }));
  });
}

function queryVerdicts(ours: ContractOperation, theirs: ContractOperation): Found[] {
  const [own, named] = [queryOf(ours), queryOf(theirs)];
  const missing = notFound(`no such parameter${listed(named.filter((name) => !own.includes(name)))}`);
  return own.map((name) => {
    return { place: 'query', name, assumed: false, ...(named.includes(name) ? CONFIRMED : missing) };
  });
}

/** The results for the members of all bodies of an endpoint. Without an answer of the same status, takes the first one. */
function bodyVerdicts(endpoint: string, ours: readonly Name[], theirs: readonly Name[]): Found[] {
  const [bodies, others] = [bodiesOf(ours), bodiesOf(theirs)];
  return [...bodies].flatMap(([place, own]) => {
    const same = others.get(place);
    const [, answer] = [...others].find(([one]) => one.startsWith('answer')) ?? [];
    const other = same ?? (place === 'request' ? undefined : answer) ?? new Map();
    const readBy = place !== 'request' && same !== undefined ? endpoint : undefined;
    return [...own]
      .flatMap(([name, member]) => memberVerdicts({ readBy, ours: own, theirs: other }, name, member))
      .map((one) => ({ place, ...one }));
  });
}

/** A member of a body. */
interface Member {
  /** The JSON types of its value. Empty if they are unknown. */
  readonly types: readonly string[];
  /** False if the contract documents the member. */
  readonly assumed: boolean;
  /** The enum values of the member. The value is false if the contract documents it. */
  readonly values: Map<string, boolean>;
}

/** The members of a body, keyed by their path: `items[].id`. An outer member comes before its inner members. */
type Members = ReadonlyMap<string, Member>;

/** The members of each body, keyed by its place: `request` or `answer 200`. */
function bodiesOf(names: readonly Name[]): ReadonlyMap<string, Members> {
  const bodies = new Map<string, Map<string, Member>>();
  for (const { side, at, word, types, assumed } of names) {
    const path = at.join('.').replaceAll('.[]', '[]');
    const members = bodies.get(side) ?? new Map<string, Member>();
    const known = members.get(path) ?? { types: [], assumed: assumed !== undefined, values: new Map() };
    if (word === undefined) members.set(path, { ...known, types: [...new Set([...known.types, ...types])] });
    else known.values.set(word, assumed !== undefined);
    bodies.set(side, members);
  }
  return bodies;
}

interface Body {
  /** The endpoint, if the action may read members of its answer under other names. */
  readonly readBy: string | undefined;
  readonly ours: Members;
  readonly theirs: Members;
}

/** The results for a member and for its enum values. */
function memberVerdicts(
  body: Body,
  name: string,
  { assumed, types, values }: Member,
): Omit<Found, 'place'>[] {
  const there = body.theirs.get(name);
  const others = [...(there?.values.keys() ?? [])];
  const isExpected = assumed || recordOf(name) === '' || body.theirs.has(recordOf(name));
  const unknown = listed(others.filter((word) => !values.has(word)));
  const missing = notFound(others.length === 0 ? 'no words are listed' : `no such word${unknown}`);
  return [
    ...(isExpected ? [{ name, assumed, ...judged(body, name, types) }] : []),
    // If the other document has no enum, our documented values are not reported as missing.
    ...[...values]
      .filter(([, isAssumed]) => others.length > 0 || isAssumed)
      .map(([word, isAssumed]) => {
        const same = others.find((other) => other.toUpperCase() === word.toUpperCase());
        const isRead = body.readBy !== undefined && same !== undefined && IGNORES_CASE.test(name);
        const found = others.includes(word) ? CONFIRMED : isRead ? readAs(same) : missing;
        return { name: `${name}=${word}`, assumed: isAssumed, ...found };
      }),
  ];
}

/** The members in whose words upper and lower case mean the same to the action. */
const IGNORES_CASE = /(?:^|\.)(?:severity|triageStatus|confirmationEvidence)$/;

function judged({ readBy, ours, theirs }: Body, name: string, types: readonly string[]): Finding {
  const there = theirs.get(name);
  if (there !== undefined && mayBe(types, there.types)) return CONFIRMED;
  const candidates = readBy === undefined ? [] : candidatesOf(readBy, name);
  // For `cwe`, the action also accepts a number. If the candidates are members inside a record, their types are not
  // compared.
  const accepted = !candidates.includes(name) ? [] : /(?:^|\.)cwe$/.test(name) ? [...types, 'number'] : types;
  const found = candidates.find((candidate) => isReadable(theirs, candidate, accepted));
  if (found !== undefined && found !== name) return readAs(found);
  if (there === undefined) return notFound(missingNote(ours, theirs, name, types));
  const note = `of type ${there.types.join(' or ')}, not ${types.join(' or ')}`;
  return { state: found === undefined ? 'wrong' : 'read anyway', note };
}

/** True if the other document has this name of a member, with a type that the action accepts. */
function isReadable(theirs: Members, candidate: string, types: readonly string[]): boolean {
  const there = theirs.get(candidate.replace(/\[\]$/, ''));
  if (!candidate.endsWith('[]')) return there !== undefined && mayBe(types, there.types);
  // A list of plain values: the document names no members of its items.
  const hasRecords = [...theirs.keys()].some((one) => parentOf(one) === candidate);
  return there?.types.includes('array') === true && !hasRecords;
}

/** Lists the unknown members of the same record, and those inside them, that could mean the same. */
function missingNote(ours: Members, theirs: Members, name: string, types: readonly string[]): string {
  const parent = parentOf(name);
  const here = [...theirs.keys()].filter((other) => parentOf(other) === parent);
  if (here.length === 0) return 'nothing is said of this record';
  const unknown = here
    .filter((other) => !ours.has(other))
    .flatMap((one) => [one, ...[...theirs.keys()].filter((inner) => recordOf(inner) === one)])
    .filter((other) => mayBe(types, theirs.get(other)?.types ?? []));
  return `no such member${listed(unknown.map((other) => other.slice(parent === '' ? 0 : parent.length + 1)))}`;
}

/** The path of the record that holds the member: `items[]` for `items[].id`. Empty if that is the body itself. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** The path of the member whose value is the record that holds the member: `items` for `items[].id`. */
function recordOf(path: string): string {
  return parentOf(path).replace(/(?:\[\])+$/, '');
}

/**
 * True if the two lists of JSON types have a type in common. Unknown types count as a match, and an integer is also a
 * number.
 */
function mayBe(ours: readonly string[], theirs: readonly string[]): boolean {
  const [own, other] = [ours, theirs].map((types) => types.map((type) => type.replace('integer', 'number')));
  return !own?.length || !other?.length || own.some((type) => other.includes(type));
}

/** Makes the end of a note about a missing name: the unknown names in the file. Empty if there are none. */
function listed(names: readonly string[]): string {
  return names.length === 0 ? '' : `; the file has ${names.join(', ')}`;
}

function notFound(note: string): Finding {
  return { state: 'not found', note };
}

function readAs(name: string): Finding {
  return { state: 'read anyway', note: `as ${name}` };
}

function queryOf({ parameters }: ContractOperation): string[] {
  return [...new Set(parameters.filter(({ place }) => place === 'query').map(({ name }) => name))];
}

function nameOf({ method, path }: ContractOperation): string {
  return `${method} ${path}`;
}
