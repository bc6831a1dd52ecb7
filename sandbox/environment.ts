import path from 'node:path';
import { pullRequestEvent } from './events.ts';
import { type GitHubOptions, startFakeGitHub } from './github/server.ts';
import type { JsonObject } from './json.ts';
import type { ActionRun } from './runner/action-run.ts';
import { type RunActionOptions, runAction } from './runner/run-action.ts';
import type { ScanServiceOptions } from './scan-service/options.ts';
import { startFakeScanService } from './scan-service/server.ts';

/** Describes a repository with one pull request, and the fakes of all servers that the action calls. */
export interface EnvironmentOptions {
  /** The git repository. It is only read. */
  readonly directory: string;
  /** `owner/name`; default `octo-org/octo-repo`. */
  readonly repository?: string;
  readonly visibility?: 'public' | 'private';
  /** The base branch of the pull request. Default: `main`. */
  readonly baseRef?: string;
  readonly headSha: string;
  readonly service?: Partial<ScanServiceOptions>;
  readonly github?: Partial<GitHubOptions>;
}

export type EnvironmentRunOptions = Partial<
  Omit<
    RunActionOptions,
    'actionDirectory' | 'event' | 'repository' | 'serverUrl' | 'apiUrl' | 'graphqlUrl' | 'token'
  >
> & {
  readonly event?: { readonly name: string; readonly payload: JsonObject };
  /** The action to run. Default: the gate. */
  readonly action?: keyof typeof ACTION_DIRECTORIES;
};

export type Environment = Awaited<ReturnType<typeof createEnvironment>>;

const PULL_REQUEST = 7;

const ROOT = path.resolve(import.meta.dirname, '..');
const ACTION_DIRECTORIES = {
  gate: ROOT,
  doctor: path.join(ROOT, 'doctor'),
  triage: path.join(ROOT, 'triage'),
} as const;

export async function createEnvironment(options: EnvironmentOptions) {
  const { repository = 'octo-org/octo-repo', baseRef = 'main', headSha, directory } = options;
  const visibility = options.visibility ?? 'private';
  const [owner = '', name = ''] = repository.split('/');
  const github = await startFakeGitHub({
    repository,
    directory,
    visibility,
    pullRequests: [{ number: PULL_REQUEST, headSha, baseRef }],
    ...options.github,
  });
  const service = await startFakeScanService({
    repositories: [{ owner, name, url: `${github.serverUrl}/${repository}`, gitDir: directory }],
    ...options.service,
  });
  const pullRequestPayload = (changes?: Partial<Parameters<typeof pullRequestEvent>[0]>): JsonObject =>
    pullRequestEvent({
      repository,
      visibility,
      serverUrl: github.serverUrl,
      number: PULL_REQUEST,
      headSha,
      baseRef,
      updatedAt: github.pullRequests.get(PULL_REQUEST)?.updatedAt,
      ...changes,
    });
  const describeRun = ({
    event,
    inputs,
    action = 'gate',
    ...rest
  }: EnvironmentRunOptions = {}): RunActionOptions => ({
    actionDirectory: ACTION_DIRECTORIES[action],
    event: event ?? { name: 'pull_request', payload: pullRequestPayload() },
    repository,
    serverUrl: github.serverUrl,
    apiUrl: github.apiUrl,
    graphqlUrl: github.graphqlUrl,
    token: github.token,
    secrets: [service.token],
    inputs: {
      'base-url': service.baseUrl,
      'api-token': service.token,
      ...(action === 'gate' ? { 'severity-threshold': 'medium', 'fail-on': 'high' } : {}),
      ...inputs,
    },
    ...rest,
  });
  return {
    service,
    github,
    /** `owner/name`. */
    repository,
    pullRequest: PULL_REQUEST,
    /** Builds the payload of a pull request event. `changes` overrides single options of `pullRequestEvent`. */
    pullRequestPayload,
    /**
     * Runs the bundled action as a step with `base-url` and `api-token`. By default, the event is `pull_request`, and
     * the gate has `fail-on: high`, so that a run does not depend on the default of the action.
     */
    run: (options?: EnvironmentRunOptions): Promise<ActionRun> => runAction(describeRun(options)),
    /** Returns the options with which `run` would call the runner. */
    describeRun,
    close: async (): Promise<void> => {
      await Promise.all([github.close(), service.close()]);
    },
  };
}
