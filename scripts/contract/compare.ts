import { type Name, namesOf } from '../../sandbox/contract/names.ts';
import { type ContractOperation, operationsOf } from '../../sandbox/contract/operations.ts';
import type { JsonObject } from '../../sandbox/json.ts';
import { candidatesOf, typesRead } from './action-names.ts';
import { compareBody, listed, type NameVerdict } from './compare-body.ts';
import { mayBe } from './json-types.ts';
import { type EndpointMatch, matchEndpoints } from './match-endpoints.ts';

/** The result for one of our names, and where the name is. */
export interface Verdict extends NameVerdict {
  readonly endpoint: string;
  /** `request`, `answer 200`, `query` or `endpoint`. */
  readonly place: string;
}

export const NO_ENDPOINT = { state: 'not found', note: 'no such endpoint' } as const;

/** Compares every name of our contract with another OpenAPI document. The results have the order of our contract. */
export function compareContracts(ours: JsonObject, theirs: JsonObject): Verdict[] {
  const matches = matchEndpoints(operationsOf(ours), operationsOf(theirs));
  const ourNames = namesOf(ours);
  const theirNames = namesOf(
    theirs,
    matches.flatMap((match) => match.theirs ?? []),
  );
  return matches.flatMap((match) => {
    const endpoint = nameOf(match.ours);
    const own = ourNames.filter((name) => name.endpoint === endpoint);
    const other = theirNames.filter((name) => match.theirs && name.endpoint === nameOf(match.theirs));
    return [...compareEndpoint(match), ...compareParameters(match), ...compareBodies(match, own, other)];
  });
}

function compareEndpoint({ ours, theirs, unknown }: EndpointMatch): Verdict[] {
  const documented = { endpoint: nameOf(ours), place: 'endpoint', name: '', assumed: false };
  if (theirs !== undefined) return [{ ...documented, state: 'confirmed', note: '' }];
  return [{ ...documented, ...NO_ENDPOINT, note: NO_ENDPOINT.note + listed(unknown.map(nameOf)) }];
}

function compareParameters({ ours, theirs }: EndpointMatch): Verdict[] {
  if (theirs === undefined) return [];
  const named = new Set(theirs.parameters.filter(({ place }) => place === 'query').map(({ name }) => name));
  const own = ours.parameters.filter(({ place }) => place === 'query').map(({ name }) => name);
  const unknown = [...named].filter((name) => !own.includes(name));
  return own.map((name) => ({
    endpoint: nameOf(ours),
    place: 'query',
    name,
    assumed: false,
    state: named.has(name) ? 'confirmed' : 'not found',
    note: named.has(name) ? '' : `no such parameter${listed(unknown)}`,
  }));
}

function compareBodies(
  { ours, theirs }: EndpointMatch,
  own: readonly Name[],
  other: readonly Name[],
): Verdict[] {
  const sides = [...new Set(own.map(({ side }) => side))];
  return sides.flatMap((side) => {
    const names = own.filter((name) => name.side === side);
    const common = { endpoint: nameOf(ours), place: side };
    const otherSide = sideOf(side, other);
    const otherNames = other.filter((name) => name.side === otherSide);
    const verdicts = compareBody(names, otherNames);
    const orReadAnyway = (verdict: NameVerdict) =>
      verdict.state === 'confirmed' || side === 'request' || side !== otherSide
        ? verdict
        : (readAnyway(nameOf(ours), verdict, names, otherNames) ?? verdict);
    // If the endpoint is missing, its documented names are not listed.
    return verdicts
      .filter(({ assumed }) => assumed || theirs !== undefined)
      .map((verdict) => ({
        ...common,
        ...orReadAnyway(verdict),
        ...(theirs === undefined ? NO_ENDPOINT : {}),
      }));
  });
}

/**
 * Looks for a member under all names that the action accepts. Returns a new verdict if the other document has a member
 * with such a name and with the right type. Otherwise returns undefined.
 */
function readAnyway(
  endpoint: string,
  verdict: NameVerdict,
  own: readonly Name[],
  other: readonly Name[],
): NameVerdict | undefined {
  const { name } = verdict;
  const member = (names: readonly Name[], wanted: string) =>
    names.find((one) => one.word === undefined && dotted(one) === wanted);
  const candidates = candidatesOf(endpoint, name);
  // If the candidates are members inside a record, their types are not compared.
  const types = candidates.includes(name) ? typesRead(name, member(own, name)?.types ?? []) : [];
  const found = candidates.find((candidate) => {
    if (candidate.endsWith('[]')) return isPlainList(other, candidate);
    const there = member(other, candidate);
    return there !== undefined && mayBe({ name, types }, { name: candidate, types: there.types });
  });
  if (found === undefined) return undefined;
  return { ...verdict, state: 'read anyway', note: found === name ? verdict.note : `as ${found}` };
}

/** True for a list of plain values: the document names no members of its items. */
function isPlainList(names: readonly Name[], items: string): boolean {
  const dottedNames = names.map(dotted);
  const list = names[dottedNames.indexOf(items.slice(0, -'[]'.length))];
  return list?.types.includes('array') === true && !dottedNames.some((one) => one.startsWith(`${items}.`));
}

function dotted({ at }: Name): string {
  return at.join('.').replaceAll('.[]', '[]');
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

function nameOf({ method, path }: ContractOperation): string {
  return `${method} ${path}`;
}
