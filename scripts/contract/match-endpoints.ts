import type { ContractOperation } from '../../sandbox/contract/operations.ts';

/**
 * Finds each of our endpoints in another document. The names of parameters may differ. The paths of the other
 * document may have a common prefix. `unknown` has the endpoints of the other document that may be `ours` under a new
 * name: they have its method, and parameters in the same positions. It is empty if `ours` has a match.
 */
export function matchEndpoints(ours: readonly ContractOperation[], theirs: readonly ContractOperation[]) {
  const prefix = commonPrefix(ours, theirs);
  const keyed = new Map(theirs.map((one) => [keyOf(one), one]));
  const found = new Set(ours.map((one) => keyOf(one, prefix)));
  const unknown = [...keyed].filter(([key]) => !found.has(key));
  const matches = ours.map((one) => {
    const key = keyOf(one, prefix);
    const match = keyed.get(key);
    const alike = unknown.filter(([other]) => match === undefined && shapeOf(other) === shapeOf(key));
    return { ours: one, theirs: match, unknown: alike.map(([, other]) => other) };
  });
  return { matches, prefix };
}

/** Describes an endpoint by its method, the number of its segments, and the positions of its parameters. */
function shapeOf(key: string): string {
  return key.replace(/\/[^/{}]+/g, '/x');
}

function keyOf({ method, path }: ContractOperation, prefix = ''): string {
  return `${method} ${prefix}${path.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '')}`;
}

/** Returns the prefix that most often stands before our paths in the other document. Empty if there is none. */
function commonPrefix(ours: readonly ContractOperation[], theirs: readonly ContractOperation[]): string {
  const keys = theirs.map((one) => keyOf(one));
  const prefixes = ours.flatMap((one) => {
    const [method, path = ''] = keyOf(one).split(' ');
    const alike = keys.filter((key) => key.startsWith(`${method} `) && key.endsWith(path));
    return alike.map((key) => key.slice(`${method} `.length, -path.length));
  });
  const count = (prefix: string) => prefixes.filter((one) => one === prefix).length;
  const [best = ''] = ['', ...prefixes].toSorted((a, b) => count(b) - count(a));
  return best;
}
