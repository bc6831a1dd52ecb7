import type { ContractOperation } from '../../sandbox/contract/operations.ts';
import { similarity } from './similarity.ts';

/** Chosen: of the segment that is least alike. */
const LEAST_SIMILARITY = 0.45;

export interface EndpointMatch {
  readonly ours: ContractOperation;
  readonly theirs: ContractOperation | undefined;
  /** Where there is none: one of theirs that we have no other use for, and that looks like it. */
  readonly likely: string | undefined;
}

/**
 * Finds each endpoint of ours in another document, whatever its path parameters are called there, and whatever prefix
 * all paths have.
 */
export function matchEndpoints(
  ours: readonly ContractOperation[],
  theirs: readonly ContractOperation[],
): EndpointMatch[] {
  const prefix = commonPrefix(ours, theirs);
  const keyed = new Map(theirs.map((one) => [keyOf(one, ''), one]));
  const matches = ours.map((one) => ({ ours: one, theirs: keyed.get(keyOf(one, prefix)) }));
  const used = new Set(matches.map((match) => match.theirs));
  const free = theirs.filter((one) => !used.has(one));
  return matches.map((match) => ({
    ...match,
    likely: match.theirs ? undefined : likelyOf(match.ours, free, prefix),
  }));
}

function keyOf({ method, path }: ContractOperation, prefix: string): string {
  return `${method} ${prefix}${nameless(path)}`;
}

function nameless(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '');
}

/** What stands before most of our paths. */
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

function likelyOf(ours: ContractOperation, free: readonly ContractOperation[], prefix: string) {
  const [best] = free
    .filter(({ method }) => method === ours.method)
    .map(({ method, path }) => ({
      name: `${method} ${path}`,
      score: alikeness(prefix + nameless(ours.path), nameless(path)),
    }))
    .sort((a, b) => b.score - a.score);
  return best !== undefined && best.score >= LEAST_SIMILARITY ? best.name : undefined;
}

/** How alike two paths are in the segment where they are least alike; parameters stand where parameters stand. */
function alikeness(one: string, other: string): number {
  const [segments, others] = [one.split('/'), other.split('/')];
  if (segments.length !== others.length) return 0;
  const each = segments.map((segment, index) => {
    const another = others[index] ?? '';
    const isFixed = segment === '{}' || another === '{}';
    return isFixed ? Number(segment === another) : similarity(segment, another);
  });
  return Math.min(...each);
}
