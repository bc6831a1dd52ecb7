import { existsSync } from 'node:fs';
import path from 'node:path';
import { HELP, parseCommandLine, runCommand, UsageError } from '../sandbox/command-line.ts';
import { POLICY_MODULES, WITHOUT_SURVIVORS } from '../test/mutation/policy-modules.ts';

const USAGE = `Usage: npm run mutation [-- FILE...]

Runs the mutation tests: first the unit tests, then whole runs. Fails if the tests notice too few mutants, or not all in
a module that opens the gate or spends credits.

  FILE     a module, such as src/scan/wait.ts. Default: all modules in test/mutation/policy-modules.ts
  --help   show this help`;

const DETECTED = new Set(['Killed', 'Timeout']);
const UNDETECTED = new Set(['Survived', 'NoCoverage']);
/** The part of all mutants that the tests have to notice, in percent. */
const LEAST = 85;

const files = (await runCommand(readFiles)) ?? process.exit();
const { Stryker } = await import('@stryker-mutator/core');
const byUnits = await mutate(files.length === 0 ? Object.values(POLICY_MODULES).flat() : files, 'unit');
// Whole runs take longer, so that they only get the mutants that the unit tests have not noticed.
const missed = byUnits.filter(({ status }) => UNDETECTED.has(status)).map(({ range }) => range);
const byRuns = missed.length === 0 ? [] : await mutate(missed, 'scenarios');
const noticed = new Set(byRuns.filter(({ status }) => DETECTED.has(status)).map(({ id }) => id));
const mutants = byUnits.map((mutant) => (noticed.has(mutant.id) ? { ...mutant, status: 'Killed' } : mutant));
const survivors = mutants.filter(({ status }) => UNDETECTED.has(status));

for (const { id } of survivors) console.log(`not noticed: ${id}`);
for (const [name, modules] of Object.entries(POLICY_MODULES)) {
  const score = scoreOf(modules);
  if (!Number.isNaN(score)) console.log(`${name.padEnd(10)} ${score.toFixed(1)} % noticed`);
}
if (scoreOf(mutants.map(({ file }) => file)) < LEAST) {
  console.error(`The tests have to notice ${LEAST} % of all mutants.`);
  process.exitCode = 1;
}
if (survivors.some(({ file }) => WITHOUT_SURVIVORS.includes(file))) {
  console.error(`The tests have to notice all mutants of ${WITHOUT_SURVIVORS.join(', ')}.`);
  process.exitCode = 1;
}

/** Reads the files from the command line. Undefined if the user asks for the usage. Throws `UsageError`. */
function readFiles(): readonly string[] | undefined {
  const { values, positionals } = parseCommandLine({ options: HELP, allowPositionals: true }, USAGE);
  if (values.help) console.log(USAGE);
  const missing = positionals.find((file) => !existsSync(file));
  if (missing !== undefined) {
    throw new UsageError(`${missing} does not exist. Use the path of a module, such as src/scan/wait.ts.`);
  }
  return values.help ? undefined : positionals;
}

/**
 * Tests the mutants of these modules, or of these places in modules.
 * @param tests the kind of tests that have to notice the mutants
 */
async function mutate(places: readonly string[], tests: 'unit' | 'scenarios') {
  const stryker = new Stryker({
    configFile: 'test/mutation/stryker.config.ts',
    mutate: [...new Set(places)],
    vitest: { configFile: `test/mutation/${tests}.vitest.config.ts` },
  });
  return (await stryker.runMutationTest()).map(({ fileName, status, location, mutatorName, replacement }) => {
    const file = path.relative(process.cwd(), fileName).split(path.sep).join('/');
    // Stryker counts columns from 1, but reads them from 0.
    const [start, end] = [location.start, location.end].map(({ line, column }) => `${line}:${column - 1}`);
    const range = `${file}:${start}-${end}`;
    return { file, status, range, id: `${range} ${mutatorName} ${replacement}` };
  });
}

/** The part of the mutants of these modules that the tests notice, in percent. NaN if there are none. */
function scoreOf(modules: readonly string[]): number {
  const count = (statuses: ReadonlySet<string>) =>
    mutants.filter(({ file, status }) => modules.includes(file) && statuses.has(status)).length;
  const detected = count(DETECTED);
  return (100 * detected) / (detected + count(UNDETECTED));
}
