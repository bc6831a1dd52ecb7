import { existsSync } from 'node:fs';
import path from 'node:path';
import { HELP, parseCommandLine, runCommand, UsageError } from '../sandbox/command-line.ts';
import { POLICY_MODULES, RUN_MODULES, WITHOUT_SURVIVORS } from '../test/mutation/policy-modules.ts';

const USAGE = `Usage: npm run mutation [-- FILE...]

Runs the mutation tests. Fails below the threshold, or if a mutant survives in a module that opens the gate or spends
credits.

  FILE     a module, such as src/scan/wait.ts. Default: all modules in test/mutation/policy-modules.ts
  --help   show this help`;

const DETECTED = new Set(['Killed', 'Timeout']);
const UNDETECTED = new Set(['Survived', 'NoCoverage']);

const files = (await runCommand(readFiles)) ?? process.exit();
const { Stryker } = await import('@stryker-mutator/core');
const ofRuns = (file: string) => RUN_MODULES.includes(file);
const policy =
  files.length === 0 ? Object.values(POLICY_MODULES).flat() : files.filter((file) => !ofRuns(file));
const runs = files.length === 0 ? RUN_MODULES : files.filter(ofRuns);
const mutants = [...(await mutate(policy, 'unit')), ...(await mutate(runs, 'scenarios'))];

for (const [name, modules] of Object.entries({
  ...POLICY_MODULES,
  all: Object.values(POLICY_MODULES).flat(),
  runs: RUN_MODULES,
}))
  console.log(`${name.padEnd(10)} ${scoreOf(modules)}`);

const survivors = mutants.filter(
  ({ file, status }) => WITHOUT_SURVIVORS.includes(file) && UNDETECTED.has(status),
);
if (survivors.length > 0) {
  console.error(`${survivors.length} mutants survive where none may: ${WITHOUT_SURVIVORS.join(', ')}.`);
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

/** Tests the mutants of these modules. @param tests the kind of tests that have to notice the mutants */
async function mutate(modules: readonly string[], tests: 'unit' | 'scenarios') {
  if (modules.length === 0) return [];
  const stryker = new Stryker({
    configFile: 'test/mutation/stryker.config.ts',
    mutate: [...modules],
    vitest: { configFile: `test/mutation/${tests}.vitest.config.ts` },
    jsonReporter: { fileName: `build-mutation/${tests}.json` },
  });
  return (await stryker.runMutationTest()).map(({ fileName, status }) => ({
    file: path.relative(process.cwd(), fileName).split(path.sep).join('/'),
    status,
  }));
}

function scoreOf(modules: readonly string[]): string {
  const count = (statuses: ReadonlySet<string>) =>
    mutants.filter(({ file, status }) => modules.includes(file) && statuses.has(status)).length;
  const [detected, undetected] = [count(DETECTED), count(UNDETECTED)];
  if (detected + undetected === 0) return 'not run';
  const score = (100 * detected) / (detected + undetected);
  return `${score.toFixed(1).padStart(5)} %  ${detected} of ${detected + undetected} noticed`;
}
