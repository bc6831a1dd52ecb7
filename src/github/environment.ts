import { err, type NotScanned, ok, type Result } from '../domain/result.ts';

/** The run's environment, from the variables of GitHub's runner. URLs have no trailing slash. */
export interface GitHubEnvironment {
  readonly eventName: string;
  /** The file with the event's payload. */
  readonly eventPath: string;
  readonly owner: string;
  readonly repo: string;
  /**
   * The repository's id, which stays the same after a rename or a transfer. If the runner does not provide the id, this
   * is `owner/name` in lower case.
   */
  readonly repositoryId: string;
  readonly serverUrl: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** Increases with every run of the repository. 0 if the runner does not set it. */
  readonly runId: number;
  /** 1 for the first attempt of a run. */
  readonly runAttempt: number;
  /** The page of this run on GitHub. */
  readonly runUrl: string;
  /** The commit of the event. Empty if the runner does not set it. */
  readonly sha: string;
  /** The full name of the run's branch or tag. Empty if the runner does not set it. */
  readonly ref: string;
  /** The login of the user or app that started the run. Empty if the runner does not set it. */
  readonly actor: string;
  /** The account that started this attempt. On a re-run, it can be another account than `actor`. */
  readonly triggeringActor: string;
  /** A folder for our temporary files. Undefined if the runner does not set it. */
  readonly runnerTemp: string | undefined;
}

const GITHUB_COM = {
  serverUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
} as const;

/**
 * Reads the variables that GitHub's runner sets. An empty variable counts as missing. Missing addresses are those of
 * github.com, or follow from the address of the API. The error is `configuration` if a required variable is missing, or if a variable is malformed.
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Result<GitHubEnvironment, NotScanned> {
  const faults: string[] = [];
  const required = (name: string): string => {
    const value = env[name] || undefined;
    if (value === undefined) faults.push(`${name} is missing`);
    return value ?? '';
  };
  const number = (name: string, absent: number): number => {
    const value = env[name] || String(absent);
    if (!/^\d{1,15}$/.test(value)) faults.push(`${name} is not a whole number`);
    return Number(value);
  };
  const address = (name: string, absent: string): string => {
    const value = httpAddress(env[name] || absent);
    if (value === undefined) faults.push(`${name} is not an http or https URL`);
    return value ?? '';
  };

  const eventName = required('GITHUB_EVENT_NAME');
  const eventPath = required('GITHUB_EVENT_PATH');
  const repository = required('GITHUB_REPOSITORY');
  // GitHub allows only these characters in names of owners and repositories.
  const [, owner = '', repo = ''] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (repository !== '' && (owner === '' || /^\.{1,2}$/.test(owner) || /^\.{1,2}$/.test(repo))) {
    faults.push('GITHUB_REPOSITORY is not of the form owner/name');
  }
  const serverUrl = address('GITHUB_SERVER_URL', GITHUB_COM.serverUrl);
  const apiUrl = address('GITHUB_API_URL', GITHUB_COM.apiUrl);
  const graphqlUrl = address('GITHUB_GRAPHQL_URL', graphqlAddressOf(apiUrl));
  const runId = number('GITHUB_RUN_ID', 0);
  const runAttempt = number('GITHUB_RUN_ATTEMPT', 1);
  if (faults.length > 0) {
    return err({
      reason: 'configuration',
      cause: `This does not look like a GitHub Actions step: ${faults.join('; ')}.`,
      nextStep: 'Run Scangate as a step of a workflow, and do not override the `GITHUB_` variables.',
    });
  }
  const page = `${serverUrl}/${owner}/${repo}/actions`;
  return ok({
    eventName,
    eventPath,
    owner,
    repo,
    repositoryId: env['GITHUB_REPOSITORY_ID'] || repository.toLowerCase(),
    serverUrl,
    apiUrl,
    graphqlUrl,
    runId,
    runAttempt,
    runUrl: runId === 0 ? page : `${page}/runs/${runId}`,
    sha: env['GITHUB_SHA'] ?? '',
    ref: env['GITHUB_REF'] ?? '',
    actor: env['GITHUB_ACTOR'] ?? '',
    triggeringActor: env['GITHUB_TRIGGERING_ACTOR'] || env['GITHUB_ACTOR'] || '',
    runnerTemp: env['RUNNER_TEMP'] || undefined,
  });
}

/** On GitHub Enterprise Server, the REST API is at `/api/v3`, and GraphQL at `/api/graphql`. */
function graphqlAddressOf(apiUrl: string): string {
  return apiUrl.endsWith('/api/v3') ? apiUrl.replace(/\/v3$/, '/graphql') : `${apiUrl}/graphql`;
}

function httpAddress(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}
