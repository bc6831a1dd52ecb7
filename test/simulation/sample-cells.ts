import type { Cell } from './fault-injector.ts';

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

/**
 * Picks one cell for each kind of request and each fault. If a fault can be transient and permanent, the picks
 * alternate between the two.
 */
export function eachFaultOnce<C extends Cell<string>>(cells: readonly C[]): C[] {
  const points = [...new Set(cells.map(({ point }) => point))];
  const faults = [...new Set(cells.map(({ fault }) => fault.name))];
  return points.flatMap((point, row) =>
    faults.flatMap((fault, column) => {
      const same = cells.filter((cell) => cell.point === point && cell.fault.name === fault);
      return same.filter((_, turn) => turn === (row + column) % same.length);
    }),
  );
}

/** The requests, the faults and the permanences that the cells have. */
export function kindsOf(cells: readonly Cell<string>[]): Readonly<Record<string, ReadonlySet<string>>> {
  return {
    points: new Set(cells.map(({ point }) => point.name)),
    faults: new Set(cells.map(({ point, fault }) => `${point.side}: ${fault.name}`)),
    permanences: new Set(cells.map(({ permanence }) => permanence)),
  };
}
