import path from 'node:path';
import { runCommand, UsageError } from '../../sandbox/command-line.ts';
import { resolveFromCwd } from '../../sandbox/cwd.ts';
import { readCreditOptions, USAGE } from './credits/options.ts';
import { readClone } from './credits/read-clone.ts';
import recorded from './credits/recorded.json' with { type: 'json' };
import { countShapes } from './credits/shape.ts';
import { creditTables } from './credits/tables.ts';

await runCommand(() => console.log(print()));

function print(): string {
  const options = readCreditOptions(process.argv.slice(2));
  if (options === 'help') return USAGE;
  if (options === 'recorded') return creditTables(recorded).join('\n\n');
  const { tip, changes } = options;
  const clone = resolveFromCwd(options.clone);
  const shapes = countShapes(read(clone, tip, changes));
  if (options.shapes) return JSON.stringify(shapes, undefined, 2);
  return creditTables([{ repository: path.basename(clone), shapes }]).join('\n\n');
}

function read(clone: string, tip: string, most: number) {
  try {
    const changes = readClone(clone, tip, most);
    if (changes.length > 0) return changes;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new UsageError(
      `--clone: git cannot read ${tip} in ${clone} (${said}). Use the path of a clone, and a commit in it.`,
    );
  }
  throw new UsageError(
    'Found no pull request that was merged by a merge commit: squashed and rebased ones do not show their pushes. Use the table of docs/cost.md.',
  );
}
