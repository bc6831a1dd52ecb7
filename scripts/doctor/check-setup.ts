import { systemClock } from '../../src/clock.ts';
import { runDoctor } from '../../src/doctor/run.ts';
import type { GitHubEnvironment } from '../../src/github/environment.ts';
import { proxyVariable, useProxy, verifyCertificates } from '../../src/http/proxy.ts';
import { readInputs } from '../../src/runner/inputs.ts';
import type { Log } from '../../src/runner/log.ts';
import { logLine } from '../../src/text/log-text.ts';

/** The doctor shares its fixes with the gate, which runs in a job. */
const REPLACED: readonly (readonly [found: RegExp, instead: string])[] = [
  [/\bRe-run this job\b/g, 'Run the doctor again'],
  [/\bre-run this job\b/g, 'run the doctor again'],
  [/\bthis job\b/g, 'this run'],
  [/\badd (`[\w-]+: \w+`) to the job's `permissions` and push\b/gi, 'Use a `GITHUB_TOKEN` with $1'],
  [/\bIf it exists, Use\b/g, 'If it exists, use'],
  [/\b(Check|[Ss]et) `github-token`/g, '$1 `GITHUB_TOKEN`'],
  [/`api-token`/g, '`SCANGATE_API_TOKEN`'],
];

const print = (text: string) =>
  console.log(logLine(REPLACED.reduce((line, [found, instead]) => line.replace(found, instead), text)));
const log: Log = {
  info: print,
  warning: (text) => print(`warning: ${text}`),
  // The table above shows the errors already.
  error: print,
  group: (title, lines) => {
    for (const line of [title, ...lines]) print(line);
  },
  annotate: () => false,
  mask: () => {},
};

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
  return runDoctor({
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
}
