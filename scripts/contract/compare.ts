import { type Name, namesOf } from '../../sandbox/contract/names.ts';
import { type ContractOperation, operationsOf } from '../../sandbox/contract/operations.ts';
import type { JsonObject } from '../../sandbox/json.ts';
import { candidatesOf, ignoresCase, typesRead } from './action-names.ts';
import { type EndpointMatch, matchEndpoints } from './match-endpoints.ts';
import { type Members, mayBe, membersOf, parentOf, recordOf } from './members.ts';

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

export const NO_ENDPOINT: Finding = { state: 'not found', note: 'no such endpoint' };
const CONFIRMED: Finding = { state: 'confirmed', note: '' };

/**
 * Compares every name of our contract with another OpenAPI document. The results have the order of our contract. If the
 * other document lacks an endpoint or a record, the documented names in it have no results.
 */
export function compareContracts(ours: JsonObject, theirs: JsonObject): Verdict[] {
  return matchEndpoints(operationsOf(ours), operationsOf(theirs)).matches.flatMap((match) => [
    endpointVerdict(match),
    ...parameterVerdicts(match),
    ...bodyVerdicts(namesOf(ours, [match.ours]), match.theirs && namesOf(theirs, [match.theirs])),
  ]);
}

function endpointVerdict({ ours, theirs, unknown }: EndpointMatch): Verdict {
  const note = NO_ENDPOINT.note + listed(unknown.map(nameOf));
  const found = theirs === undefined ? { ...NO_ENDPOINT, note } : CONFIRMED;
  return { endpoint: nameOf(ours), place: 'endpoint', name: '', assumed: false, ...found };
}

function parameterVerdicts({ ours, theirs }: EndpointMatch): Verdict[] {
  if (theirs === undefined) return [];
  const [own, named] = [queryOf(ours), queryOf(theirs)];
  const unknown = named.filter((name) => !own.includes(name));
  return own.map((name) => {
    const found = named.includes(name) ? CONFIRMED : notFound(`no such parameter${listed(unknown)}`);
    return { endpoint: nameOf(ours), place: 'query', name, assumed: false, ...found };
  });
}

/** @param other the names of the same endpoint in the other document. Undefined if it has no such endpoint */
function bodyVerdicts(own: readonly Name[], other: readonly Name[] | undefined): Verdict[] {
  return [...new Set(own.map(({ side }) => side))].flatMap((place) => {
    const otherSide = sideOf(place, other ?? []);
    const body: Body = {
      endpoint: own[0]?.endpoint ?? '',
      isRead: place !== 'request' && place === otherSide,
      ours: membersOf(own.filter(({ side }) => side === place)),
      theirs: membersOf((other ?? []).filter(({ side }) => side === otherSide)),
    };
    return [...body.ours.keys()]
      .flatMap((name) => memberVerdicts(body, name))
      .filter(({ assumed }) => assumed || other !== undefined)
      .map((one) => ({
        endpoint: body.endpoint,
        place,
        ...one,
        ...(other === undefined ? NO_ENDPOINT : {}),
      }));
  });
}

interface Body {
  readonly endpoint: string;
  /** True if the action may read its members under other names. */
  readonly isRead: boolean;
  readonly ours: Members;
  readonly theirs: Members;
}

/** The results for a member and for its enum values. */
function memberVerdicts(body: Body, name: string): Omit<Verdict, 'endpoint' | 'place'>[] {
  const { ours, theirs } = body;
  const { assumed = false, values = new Map<string, boolean>() } = ours.get(name) ?? {};
  const isExpected = assumed || recordOf(name) === '' || theirs.has(recordOf(name));
  const others = [...(theirs.get(name)?.values.keys() ?? [])];
  const unknown = others.filter((word) => !values.has(word));
  const missing = notFound(others.length === 0 ? 'no words are listed' : `no such word${listed(unknown)}`);
  return [
    ...(isExpected ? [{ name, assumed, ...judged(body, name) }] : []),
    // If the other document has no enum, our documented values are not reported as missing.
    ...[...values]
      .filter(([, isAssumed]) => others.length > 0 || isAssumed)
      .map(([word, isAssumed]) => ({
        name: `${name}=${word}`,
        assumed: isAssumed,
        ...(others.includes(word) ? CONFIRMED : (otherCase(body, name, word, others) ?? missing)),
      })),
  ];
}

/** Finds a word that differs only in upper and lower case, if that means the same to the action. */
function otherCase({ isRead }: Body, name: string, word: string, others: readonly string[]) {
  const same = others.find((other) => other.toUpperCase() === word.toUpperCase());
  if (!isRead || same === undefined || !ignoresCase(name)) return undefined;
  return { state: 'read anyway', note: `as ${same}` } as const;
}

function judged(body: Body, name: string): Finding {
  const own = body.ours.get(name)?.types ?? [];
  const other = body.theirs.get(name);
  if (other !== undefined && mayBe(own, other.types)) return CONFIRMED;
  const found: Finding =
    other === undefined
      ? notFound(missingNote(body, name))
      : { state: 'wrong', note: `of type ${other.types.join(' or ')}, not ${own.join(' or ')}` };
  const candidate = body.isRead ? readAnyway(body, name) : undefined;
  if (candidate === undefined) return found;
  return { state: 'read anyway', note: candidate === name ? found.note : `as ${candidate}` };
}

/** Lists the unknown members of the same record, and those inside them, that could mean the same. */
function missingNote({ ours, theirs }: Body, name: string): string {
  const here = [...theirs].filter(([other]) => parentOf(other) === parentOf(name));
  if (here.length === 0) return 'nothing is said of this record';
  const unknown = here
    .filter(([other]) => !ours.has(other))
    .flatMap((one) => [one, ...[...theirs].filter(([inner]) => recordOf(inner) === one[0])])
    .filter(([, { types }]) => mayBe(ours.get(name)?.types ?? [], types));
  const start = parentOf(name) === '' ? 0 : parentOf(name).length + 1;
  return `no such member${listed(unknown.map(([other]) => other.slice(start)))}`;
}

/**
 * Looks for a member under all names that the action accepts. Returns the name that the other document has, with the
 * right type.
 */
function readAnyway({ endpoint, ours, theirs }: Body, name: string): string | undefined {
  const candidates = candidatesOf(endpoint, name);
  // If the candidates are members inside a record, their types are not compared.
  const types = candidates.includes(name) ? typesRead(name, ours.get(name)?.types ?? []) : [];
  return candidates.find((candidate) => {
    const there = theirs.get(candidate.replace(/\[\]$/, ''));
    if (!candidate.endsWith('[]')) return there !== undefined && mayBe(types, there.types);
    // A list of plain values: the document names no members of its items.
    const hasRecords = [...theirs.keys()].some((one) => parentOf(one) === candidate);
    return there?.types.includes('array') === true && !hasRecords;
  });
}

/**
 * Finds the body in the other document that corresponds to `side`, such as `answer 200`. If the other document has no
 * answer with this status, takes the first successful answer of the endpoint.
 */
function sideOf(side: string, names: readonly Name[]): string | undefined {
  const sides = names.map((name) => name.side);
  if (sides.includes(side) || side === 'request') return side;
  return sides.find((one) => one.startsWith('answer'));
}

/** Makes the end of a note about a missing name: the unknown names in the file. Empty if there are none. */
function listed(names: readonly string[]): string {
  return names.length === 0 ? '' : `; the file has ${names.join(', ')}`;
}

function notFound(note: string): Finding {
  return { state: 'not found', note };
}

function queryOf({ parameters }: ContractOperation): string[] {
  return [...new Set(parameters.filter(({ place }) => place === 'query').map(({ name }) => name))];
}

function nameOf({ method, path }: ContractOperation): string {
  return `${method} ${path}`;
}
