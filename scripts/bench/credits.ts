// Counts the scans that real histories cost, by the gate's own keys. Prints the tables of docs/cost.md.
// Usage: npm run bench:credits [-- --clone FOLDER --tip COMMIT [--changes NUMBER]]
//   --clone FOLDER  counts the shapes of the changes in a clone instead, in the form of recorded.json. A clone with
//                   commits alone is enough:
//                   git clone --bare --filter=tree:0
//   --tip COMMIT    the commit to start from
//   --changes N     how many merged changes; default 200
import { parseArgs } from 'node:util';
import { readClone } from './credits/read-clone.ts';
import recorded from './credits/recorded.json' with { type: 'json' };
import { countShapes } from './credits/shape.ts';
import { creditTables } from './credits/tables.ts';

const { values: options } = parseArgs({
  options: { clone: { type: 'string' }, tip: { type: 'string' }, changes: { type: 'string' } },
});
if (options.clone === undefined) console.log(creditTables(recorded).join('\n\n'));
else {
  const changes = readClone(options.clone, options.tip ?? 'HEAD', Number(options.changes ?? 200));
  console.log(JSON.stringify(countShapes(changes), undefined, 2));
}
