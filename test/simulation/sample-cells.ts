import type { Cell } from './fault-injector.ts';

/**
 * Picks one cell for each fault on each side. Of several cells, picks the one whose kind of request was picked least
 * often until then. Of several such cells, picks the one whose permanence was picked least often.
 */
export function sampleCells(cells: readonly Cell[]): Cell[] {
  const bySide = Map.groupBy(cells, ({ point, fault }) => `${point.side}: ${fault.name}`);
  const sample: Cell[] = [];
  const taken = (isSame: (other: Cell) => boolean) => sample.filter(isSame).length;
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
 * Picks each fault of each kind of request once. If a fault can be transient and permanent, the two alternate from one
 * kind of request to the next, and from one fault to the next.
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
