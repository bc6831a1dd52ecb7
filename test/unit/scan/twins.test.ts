import { expect, test } from 'vitest';
import { elderTwins, type RankedMark } from '../../../src/scan/twins.ts';
import { BASE, HEAD } from './fake-api.ts';

const OWN = {
  projectId: 'p',
  scanId: 'own',
  launchedAt: 1_000,
  key: 'k',
  rank: 20,
  expected: { baseSha: BASE, headSha: HEAD },
};
const ELDER: RankedMark = { scanId: 'elder', launchedAt: 1_000, key: 'k', rank: 10 };
const FIRST: RankedMark = { ...ELDER, scanId: 'first', rank: 5 };
const YOUNGER: RankedMark = { ...ELDER, scanId: 'younger', rank: 30 };

test.each<[string, RankedMark[], RankedMark[]]>([
  ['nothing if there are no marks', [], []],
  ['a mark of a smaller rank than the given mark', [ELDER], [ELDER]],
  ['no mark of a larger rank', [YOUNGER], []],
  ['no mark of the same rank', [{ ...ELDER, rank: 20 }], []],
  ['no mark of another key', [{ ...ELDER, key: 'other' }], []],
  ['no mark of the given scan', [{ ...ELDER, scanId: 'own' }], []],
  ['no mark that ranks after one of two marks of the given scan', [{ ...OWN, rank: 8 }, ELDER], []],
  ['the marks that rank before all marks of the given scan', [{ ...OWN, rank: 8 }, ELDER, FIRST], [FIRST]],
  [
    'a mark that ranks after a mark of the given scan with another key',
    [{ ...OWN, rank: 8, key: 'x' }, ELDER],
    [ELDER],
  ],
  ['the marks in the order of their ranks', [YOUNGER, ELDER, OWN, FIRST], [FIRST, ELDER]],
  ['only the first-ranked of several marks of one scan', [{ ...ELDER, rank: 15 }, ELDER, OWN], [ELDER]],
])('elderTwins returns %s', (_what, marks, elders) => {
  expect(elderTwins(marks, OWN)).toEqual(elders);
});
