import { randomInt } from 'node:crypto';
import { sayCounts, tellHistories } from '../test/simulation/histories/tally.ts';

/** Plays many random histories: `npm run histories -- [count] [seed] [path]`; 2,000 of a new seed unless told. */
const [count = '2000', seed = String(randomInt(2 ** 31)), path] = process.argv.slice(2);
const told = await tellHistories({ count: Number(count), seed: Number(seed), path });
console.log(sayCounts(told));
if (told.broken !== undefined) {
  console.error(told.broken);
  process.exitCode = 1;
}
