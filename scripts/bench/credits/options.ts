import { HELP, parseCommandLine, UsageError } from '../../../sandbox/command-line.ts';

export const USAGE = `Usage: npm run bench:credits [-- --clone FOLDER [--tip COMMIT] [--changes NUMBER] [--shapes]]

Counts the scans that the histories of public repositories cost, by the gate's own keys. docs/cost.md shows the
second of these tables.

  --clone FOLDER     counts the pull requests that a clone of your own shows as merge commits, instead. Commits are
                     enough: git clone --bare --filter=tree:0
  --tip COMMIT       the commit to start from. Default: HEAD
  --changes NUMBER   how many merged pull requests. Default: 200
  --shapes           prints the shapes of the changes, as scripts/bench/credits/recorded.json has them
  --help             show this help`;

const OPTIONS = {
  clone: { type: 'string' },
  tip: { type: 'string' },
  changes: { type: 'string' },
  shapes: { type: 'boolean' },
  ...HELP,
} as const;

/** The clone whose history is read, in place of the recorded histories. */
export interface CloneOptions {
  readonly clone: string;
  readonly tip: string;
  readonly changes: number;
  readonly shapes: boolean;
}

/** Reads the options. Throws a `UsageError`. */
export function readCreditOptions(args: readonly string[]): CloneOptions | 'recorded' | 'help' {
  const { clone, help, ...of } = parseCommandLine({ args: [...args], options: OPTIONS }, USAGE).values;
  if (help) return 'help';
  if (clone === undefined) {
    if (Object.keys(of).length > 0)
      throw new UsageError(`These options need a clone. Name it with \`--clone FOLDER\`.\n\n${USAGE}`);
    return 'recorded';
  }
  const { tip = 'HEAD', changes = '200', shapes = false } = of;
  if (!/^[1-9]\d{0,8}$/.test(changes))
    throw new UsageError(`--changes is ${changes}. Use a whole number from 1.\n\n${USAGE}`);
  return { clone, tip, changes: Number(changes), shapes };
}
