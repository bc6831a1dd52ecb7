import path from 'node:path';
import { HELP, parseCommandLine, runCommand, UsageError } from '../../sandbox/command-line.ts';
import { resolveFromCwd } from '../../sandbox/cwd.ts';
import { readClone } from './credits/read-clone.ts';
import recorded from './credits/recorded.json' with { type: 'json' };
import { countShapes } from './credits/shape.ts';
import { scansByEvent } from './credits/table.ts';

const USAGE = `Usage: npm run bench:credits [-- --clone FOLDER [--tip COMMIT] [--shapes]]

Counts the scans that the histories of public repositories cost, by the gate's own keys. docs/cost.md shows the table.

  --clone FOLDER     counts the last 200 pull requests that a clone of your own shows as merge commits, instead.
                     Commits are enough: git clone --bare --filter=tree:0
  --tip COMMIT       the commit to start from. Default: HEAD
  --shapes           prints the shapes of the changes, as scripts/bench/credits/recorded.json has them
  --help             show this help`;

const MOST_CHANGES = 200;
const OPTIONS = {
  clone: { type: 'string' },
  tip: { type: 'string' },
  shapes: { type: 'boolean' },
  ...HELP,
} as const;

await runCommand(() => {
  const { clone, help, ...of } = parseCommandLine({ options: OPTIONS }, USAGE).values;
  if (help) return console.log(USAGE);
  const { tip = 'HEAD', shapes: isOnlyShapes = false } = of;
  if (clone === undefined && Object.keys(of).length > 0)
    throw new UsageError(`These options need a clone. Name it with \`--clone FOLDER\`.\n\n${USAGE}`);
  if (clone === undefined) return console.log(scansByEvent(recorded));
  const folder = resolveFromCwd(clone);
  const shapes = countShapes(read(folder, tip));
  const table = () => scansByEvent([{ repository: path.basename(folder), shapes }]);
  console.log(isOnlyShapes ? JSON.stringify(shapes, undefined, 2) : table());
});

function read(clone: string, tip: string) {
  try {
    const changes = readClone(clone, tip, MOST_CHANGES);
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
