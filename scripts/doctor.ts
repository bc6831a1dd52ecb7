// Runs the doctor from a clone. It makes the same checks as the action `doctor/`. Its options replace the inputs.
import path from 'node:path';
import { HELP, parseCommandLine, runCommand, UsageError } from '../sandbox/command-line.ts';
import { readActionManifest } from '../sandbox/runner/action-manifest.ts';
import { readEnvironment } from '../src/github/environment.ts';

const USAGE = `Usage: npm run doctor -- --repository OWNER/NAME --base-url URL [--INPUT VALUE ...]

Checks the setup of the Scangate gate for a repository. It only reads and uses no credits.

  --repository OWNER/NAME   repository on GitHub
  --INPUT VALUE             an input of the gate, as in the workflow. --help lists them
  --help                    show this help, with all inputs

Tokens come from the environment: SCANGATE_API_TOKEN for the service, and GITHUB_TOKEN for GitHub.
Without GITHUB_TOKEN, GitHub is not checked. GITHUB_SERVER_URL and GITHUB_API_URL name another GitHub server.

The exit code is 0 without an error, 1 with one, and 2 if the options cannot be used.`;

const TOKENS: ReadonlyMap<string, string> = new Map([
  ['api-token', 'SCANGATE_API_TOKEN'],
  ['github-token', 'GITHUB_TOKEN'],
]);

type Inputs = Awaited<ReturnType<typeof readActionManifest>>['inputs'];

function readOptions(inputs: Inputs): Readonly<Record<string, string>> | 'help' {
  const options = Object.fromEntries(
    ['repository', ...inputs.map(({ name }) => name)].map((name) => [name, { type: 'string' as const }]),
  );
  const { values } = parseCommandLine({ options: { ...options, ...HELP } }, USAGE);
  if (values['help'] === true) return 'help';
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function inputLines(inputs: Inputs): readonly string[] {
  const width = Math.max(...inputs.map(({ name }) => name.length));
  return inputs.map(({ name, description, default: otherwise }) => {
    const more = otherwise === '' ? '' : ` Default: ${otherwise}`;
    return `  --${name.padEnd(width)}  ${description}${more}`;
  });
}

async function doctor(): Promise<0 | 1> {
  const manifest = await readActionManifest(path.resolve(import.meta.dirname, '../doctor'));
  // Tokens are not options, because the shell would keep them in its history.
  const known = manifest.inputs.filter(({ name }) => !TOKENS.has(name));
  const options = readOptions(known);
  if (options === 'help') {
    console.log([USAGE, '', 'The inputs of the gate:', ...inputLines(known)].join('\n'));
    return 0;
  }
  const { repository = '', ...inputs } = options;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new UsageError(`--repository is ${repository || 'missing'}. Use OWNER/NAME.\n\n${USAGE}`);
  }
  const environment = readEnvironment({
    ...process.env,
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_EVENT_PATH: '-',
    GITHUB_REPOSITORY: repository,
    GITHUB_SHA: '',
  });
  if (!environment.ok) throw new UsageError(environment.error.cause);
  const getInput = (name: string) => (inputs[name] ?? process.env[TOKENS.get(name) ?? ''] ?? '').trim();
  // Loaded only when it is needed, so that the usage is shown at once.
  const { checkSetup } = await import('./doctor/check-setup.ts');
  return checkSetup(environment.value, getInput);
}

const exitCode = await runCommand(doctor);
if (exitCode !== undefined) process.exitCode = exitCode;
