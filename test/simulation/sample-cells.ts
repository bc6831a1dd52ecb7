import type { Cell } from './fault-injector.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';
import type { Permanence } from './policy.ts';
import type { RequestPoint } from './request-points.ts';

/**
 * All cells of a fault matrix.
 * @param permanences the permanences with which a fault of a request is tested; default: both, and for a stale
 * connection only `transient`, because a new connection replaces it
 */
export function cellsOf<P extends RequestPoint<string>>(
  points: readonly P[],
  permanences: (point: P, fault: FaultKind) => readonly Permanence[] = bothPermanences,
) {
  return points.flatMap((point) =>
    faultKinds(point.access).flatMap((fault) =>
      permanences(point, fault).map((permanence) => ({ point, fault, permanence })),
    ),
  );
}

function bothPermanences(
  { onNewConnection }: RequestPoint<string>,
  { how }: FaultKind,
): readonly Permanence[] {
  if (how !== 'stale') return ['transient', 'permanent'];
  return onNewConnection ? [] : ['transient'];
}

/**
 * Picks one cell for each fault on each side. Prefers the kind of request that it has picked least often. Among equals,
 * prefers the permanence that it has picked least often.
 */
export function sampleCells<C extends Cell<string>>(cells: readonly C[]): C[] {
  const bySide = Map.groupBy(cells, ({ point, fault }) => `${point.side}: ${fault.name}`);
  const sample: C[] = [];
  const taken = (isSame: (other: C) => boolean) => sample.filter(isSame).length;
  for (const same of bySide.values()) {
    const [least] = same
      .map((cell) => ({
        cell,
        ofPoint: taken(({ point }) => point === cell.point),
        ofPermanence: taken(({ permanence }) => permanence === cell.permanence),
      }))
      .toSorted((a, b) => a.ofPoint - b.ofPoint || a.ofPermanence - b.ofPermanence);
    if (least !== undefined) sample.push(least.cell);
  }
  return sample;
}

/** The requests, the faults and the permanences that the cells have. */
export function kindsOf(cells: readonly Cell<string>[]): Readonly<Record<string, ReadonlySet<string>>> {
  return {
    points: new Set(cells.map(({ point }) => point.name)),
    faults: new Set(cells.map(({ point, fault }) => `${point.side}: ${fault.name}`)),
    permanences: new Set(cells.map(({ permanence }) => permanence)),
  };
}
