import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HELP, parseCommandLine, runCommand, UsageError } from '../sandbox/command-line.ts';
import { POLICY_MODULES, WITHOUT_SURVIVORS } from '../test/mutation/policy-modules.ts';

const USAGE = `Usage: npm run mutation [-- FILE...]

Runs the mutation tests: first the unit tests, then whole runs. Fails if the tests notice too few mutants, or not all in
a module that opens the gate or spends credits.

  FILE     a module, such as src/scan/wait.ts. Default: all modules in test/mutation/policy-modules.ts
  --help   show this help`;

/** The part of all mutants that the tests have to notice, in percent. */
const LEAST = 85;

const given = (await runCommand(readFiles)) ?? process.exit();
const { Stryker } = await import('@stryker-mutator/core');
const modules = given.length === 0 ? Object.values(POLICY_MODULES).flat() : given;
const mutants = await mutate(modules, 'unit');
// Whole runs take longer, so that they only get the mutants that the unit tests have not noticed.
const missed = mutants.filter(({ isNoticed }) => !isNoticed);
const places = missed.map(({ range }) => range);
const byRuns = places.length === 0 ? [] : await mutate(places, 'scenarios');
const noticed = new Set(byRuns.filter(({ isNoticed }) => isNoticed).map(({ id }) => id));
const survivors = missed.filter(({ id }) => !noticed.has(id));
const unwanted = survivors.filter(({ file }) => WITHOUT_SURVIVORS.includes(file)).map(({ code }) => code);
const equivalent = readFileSync('test/mutation/equivalent.txt', 'utf8')
  .split('\n')
  .filter((line) => modules.some((file) => line.startsWith(`${file}: `)));

for (const { id } of survivors) console.log(`not noticed: ${id}`);
const score = 100 - (100 * survivors.length) / Math.max(1, mutants.length);
console.log(`The tests notice ${score.toFixed(1)} % of ${mutants.length} mutants.`);
assert.ok(score >= LEAST, `The tests have to notice ${LEAST} % of all mutants.`);
// The list has one line for each mutant.
assert.deepEqual(unwanted.sort(), equivalent.sort());

/** Reads the files from the command line. Undefined if the user asks for the usage. Throws `UsageError`. */
function readFiles(): readonly string[] | undefined {
  const { values, positionals } = parseCommandLine({ options: HELP, allowPositionals: true }, USAGE);
  if (values.help) console.log(USAGE);
  const missing = positionals.find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new UsageError(`${missing} does not exist. Use the path of a module, such as src/scan/wait.ts.`);
  return values.help ? undefined : positionals.map((file) => path.normalize(file));
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
  const tested = ['Killed', 'Timeout', 'Survived', 'NoCoverage'];
  const results = (await stryker.runMutationTest()).filter(({ status }) => tested.includes(status));
  return results.map(({ fileName, status, location: { start, end }, replacement }) => {
    const file = path.relative(process.cwd(), fileName).split(path.sep).join('/');
    const lines = readFileSync(fileName, 'utf8').split('\n');
    const before = lines[start.line - 1]?.slice(0, start.column - 1);
    const after = lines[end.line - 1]?.slice(end.column - 1);
    const code = `${file}: ${`${before}${replacement}${after}`.replaceAll(/\s+/g, ' ').trim()}`;
    // Stryker counts columns from 1, but reads them from 0.
    const range = `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
    return {
      file,
      code,
      range,
      id: `${range}: ${code}`,
      isNoticed: status === 'Killed' || status === 'Timeout',
    };
  });
}
