import { randomInt } from 'node:crypto';
import { HELP, parseCommandLine, runCommand, UsageError, wholeNumber } from '../sandbox/command-line.ts';

const COUNT = 2_000;
const LARGEST_SEED = 2 ** 31 - 1;

const USAGE = `Usage: npm run histories [-- COUNT [SEED [PATH]]]

Simulates random sequences of pushes, re-runs, faults, signals and lost machines, beside strangers with the same
token, copied marks, and pull requests that are closed and retargeted, in virtual time and without sockets. Prints
the figures: runs, launches, greens, and documented exceptions by kind. A history that breaks a promise is reduced
and printed.

  COUNT    number of histories. Default: ${COUNT}
  SEED     whole number that selects the histories. Default: a new one, which is printed
  PATH     path of one reduced history, as printed for a broken promise
  --help   show this help

The exit code is 0 if every promise was kept, 1 if one was broken, and 2 if the arguments cannot be used.`;

/** The end of a message about a number. */
const END = `.\n\n${USAGE}`;

await runCommand(async () => {
  const { values, positionals } = parseCommandLine({ allowPositionals: true, options: HELP }, USAGE);
  if (values.help) return console.log(USAGE);
  const [count, seed, path, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`There are more than three arguments.\n\n${USAGE}`);
  if (path !== undefined && !/^\d+(?::\d+)*$/.test(path)) {
    throw new UsageError(
      `PATH is ${path}. Use a path as printed for a broken promise, such as 0:1.\n\n${USAGE}`,
    );
  }
  const selection = {
    count: wholeNumber('COUNT', count, 1, Number.MAX_SAFE_INTEGER, END) ?? COUNT,
    seed: wholeNumber('SEED', seed, 0, LARGEST_SEED, END) ?? randomInt(LARGEST_SEED),
    path,
  };
  const { describeCounts, runHistories } = await import('../test/simulation/histories/run-histories.ts');
  const results = await runHistories(selection);
  console.log(describeCounts(results));
  if (results.broken === undefined) return;
  console.error(results.broken);
  process.exitCode = 1;
});
