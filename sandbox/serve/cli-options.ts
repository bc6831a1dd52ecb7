import { HELP, parseCommandLine, UsageError, wholeNumber } from '../command-line.ts';
import type { TokenOptions } from '../scan-service/options.ts';
import { readTokenSpec, TOKEN_FORM } from './token-spec.ts';

export const USAGE = `Usage: npm run sandbox [-- OPTIONS]

  --repository PATH   git repository to scan; it is only read.
                      Default: the demo's sample repository, in a temporary folder
  --owner-name O/N    owner and name of the repository in the service.
                      Default: from its remote "origin", else local/FOLDER
  --port N            port to listen on. Default: a free port, or the last one with --data
  --data FOLDER       folder that keeps tokens, credits, scans, triage and the port
                      between runs. Default: nothing is kept
  --credits N         prepaid credits of the organization at the first start. Default: 1000
  --pace N            number of a scan's six phases that each read completes, or
                      "instant". Default: 3
  --request-ceiling N requests that the token may send in 60 seconds, at the first start.
                      Default: 600
  --token SPEC        one more token, at the first start; can be repeated. SPEC is a list such as
                      'scopes=read,scans:launch;expires=2020-01-01;spend-limit=5;allowlist=octo-org/other'
  --analyzing N       the repository is being analyzed until it was listed N times, at its
                      first start. Default: 0
  --help              show this help`;

/** The options of the command line. Only their form is checked. */
export type CliOptions = Exclude<ReturnType<typeof readCliOptions>, 'help'>;

const OPTIONS = {
  repository: { type: 'string' },
  'owner-name': { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  credits: { type: 'string' },
  pace: { type: 'string' },
  'request-ceiling': { type: 'string' },
  token: { type: 'string', multiple: true },
  analyzing: { type: 'string' },
  ...HELP,
} as const;

const LAST_PORT = 65_535;
const MOST_CREDITS = 1_000_000_000;
const HIGHEST_CEILING = 1_000_000_000;

/** Reads the command line. Returns `help` if the user asks for it. Throws `UsageError`. */
export function readCliOptions(args: readonly string[]) {
  const { values } = parseCommandLine({ args: [...args], options: OPTIONS }, USAGE);
  if (values.help === true) return 'help' as const;
  const { repository, pace } = values;
  const ownerName = values['owner-name'];
  if (repository === '') throw new UsageError('--repository is empty. Use the path of a git repository.');
  if (values.data === '') throw new UsageError('--data is empty. Use the path of a folder.');
  if (ownerName !== undefined && !/^[\w.-]+\/[\w.-]+$/.test(ownerName)) {
    throw new UsageError(`--owner-name is ${ownerName}. Use an owner and a name, such as octo-org/shop.`);
  }
  return {
    repository,
    /** `owner/name` */
    ownerName,
    /**
     * 0 means any free port. If undefined, the fake service uses the port that the data folder keeps. If it keeps none,
     * the fake service uses any free port.
     */
    port: wholeNumber('--port', values.port, 0, LAST_PORT),
    dataFolder: values.data,
    credits: wholeNumber('--credits', values.credits, 0, MOST_CREDITS),
    /** How many requests the token may send in 60 seconds. */
    requestCeiling: wholeNumber('--request-ceiling', values['request-ceiling'], 1, HIGHEST_CEILING),
    /** All tokens except the first one, which may do everything. */
    moreTokens: (values.token ?? []).map(tokenOf),
    /** How many times the repository has to be listed before it is ready. */
    analyzing: wholeNumber('--analyzing', values.analyzing, 0, HIGHEST_CEILING),
    /** `Infinity` means that a scan ends when a client reads it for the first time. */
    phasesPerPoll:
      pace === 'instant' ? Number.POSITIVE_INFINITY : wholeNumber('--pace', pace, 1, 6, ', or "instant".'),
  };
}

function tokenOf(spec: string): TokenOptions {
  const token = readTokenSpec(spec);
  if (token === undefined) throw new UsageError(`--token is ${spec}. Use ${TOKEN_FORM}.`);
  return token;
}
