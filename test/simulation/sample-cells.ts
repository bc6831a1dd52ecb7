import type { Cell } from './fault-injector.ts';

/** Of each fault at each side the cell whose request point was taken least before, then the one whose permanence was. */
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
