import type { ContractOperation } from '../../sandbox/contract/operations.ts';

export interface EndpointMatch {
  readonly ours: ContractOperation;
  readonly theirs: ContractOperation | undefined;
  /**
   * Endpoints of the other document that may be `ours` under a new name. They have the method of `ours`, and parameters
   * in the same positions. Endpoints with a match are left out. Empty if `ours` has a match.
   */
  readonly unknown: readonly ContractOperation[];
}

/**
 * Finds each of our endpoints in another document. The names of parameters may differ. The paths of the other
 * document may have a common prefix.
 */
export function matchEndpoints(
  ours: readonly ContractOperation[],
  theirs: readonly ContractOperation[],
): { readonly matches: readonly EndpointMatch[]; readonly prefix: string } {
  const prefix = commonPrefix(ours, theirs);
  const keyed = new Map(theirs.map((one) => [keyOf(one, ''), one]));
  const ourKeys = new Set(ours.map((one) => keyOf(one, prefix)));
  const unknown = theirs.filter((one) => !ourKeys.has(keyOf(one, '')));
  const matches = ours.map((one) => {
    const match = keyed.get(keyOf(one, prefix));
    const shape = shapeOf(keyOf(one, prefix));
    return {
      ours: one,
      theirs: match,
      unknown: match ? [] : unknown.filter((other) => shapeOf(keyOf(other, '')) === shape),
    };
  });
  return { matches, prefix };
}

/** Describes an endpoint by its method, the number of its segments, and the positions of its parameters. */
function shapeOf(key: string): string {
  return key.replace(/\/[^/{}]+/g, '/x');
}

function keyOf({ method, path }: ContractOperation, prefix: string): string {
  return `${method} ${prefix}${nameless(path)}`;
}

function nameless(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '');
}

/** Returns the prefix that most often stands before our paths in the other document. Empty if there is none. */
function commonPrefix(ours: readonly ContractOperation[], theirs: readonly ContractOperation[]): string {
  const counts = new Map<string, number>([['', 0]]);
  for (const one of ours) {
    for (const other of theirs.filter(({ method }) => method === one.method)) {
      const [path, wanted] = [nameless(other.path), nameless(one.path)];
      if (!path.endsWith(wanted)) continue;
      const prefix = path.slice(0, path.length - wanted.length);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const [best = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  return best[0];
}
