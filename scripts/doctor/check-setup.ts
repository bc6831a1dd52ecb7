import { systemClock } from '../../src/clock.ts';
import { runDoctor } from '../../src/doctor/run.ts';
import type { GitHubEnvironment } from '../../src/github/environment.ts';
import { proxyVariable, useProxy, verifyCertificates } from '../../src/http/proxy.ts';
import { readInputs } from '../../src/runner/inputs.ts';
import type { Log } from '../../src/runner/log.ts';
import { logLine } from '../../src/text/log-text.ts';

const print = (text: string) => console.log(logLine(text));
const log: Log = {
  info: print,
  warning: (text) => print(`warning: ${text}`),
  error: (text, more = []) => {
    for (const line of [text, ...more]) print(line);
  },
  group: (title, lines) => {
    for (const line of [title, ...lines]) print(line);
  },
  annotate: () => false,
  mask: () => {},
};

/** The doctor shares its fixes with the gate, which runs in a job. */
const FIXES_ARE_OF_A_JOB =
  'Where a fix says to re-run the job, run the doctor again. Where it names a permission of the job, set GITHUB_TOKEN to a token that has it.';

/** Prints the table of all checks, and returns the exit code. */
export async function checkSetup(
  environment: GitHubEnvironment,
  getInput: (name: string) => string,
): Promise<0 | 1> {
  const ignored = verifyCertificates(process.env);
  if (ignored !== undefined) log.warning(ignored);
  const reading = readInputs(process.cwd(), { getInput, setSecret: () => {} });
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  const exitCode = await runDoctor({
    clock: systemClock,
    fetch,
    random: Math.random,
    signal: controller.signal,
    log,
    environment,
    // The doctor shows everything, because the person at the terminal has the tokens.
    isPublic: false,
    isCommandLine: true,
    // A missing `github-token` is not an error here: the table says that GitHub was not asked.
    reading: {
      ...reading,
      faults: reading.faults.filter((fault) => !fault.startsWith('`github-token` is empty')),
    },
    proxy: {
      variable: proxyVariable(process.env),
      fault: useProxy(process.env, reading.inputs.connection.baseUrl),
    },
    writeSummary: async () => {},
    writeOutputs: () => {},
  });
  if (exitCode === 1) print(FIXES_ARE_OF_A_JOB);
  return exitCode;
}
