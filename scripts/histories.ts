import { randomInt } from 'node:crypto';
import { describeCounts, runHistories } from '../test/simulation/histories/run-histories.ts';

/** Runs many random histories: `npm run histories -- [count] [seed] [path]`; 2,000 of a new seed unless results. */
const [count = '2000', seed = String(randomInt(2 ** 31)), path] = process.argv.slice(2);
const results = await runHistories({ count: Number(count), seed: Number(seed), path });
console.log(describeCounts(results));
if (results.broken !== undefined) {
  console.error(results.broken);
  process.exitCode = 1;
}
