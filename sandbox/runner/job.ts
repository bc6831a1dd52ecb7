import { isObject, type JsonObject, objectAt, textAt } from '../json.ts';
import type { StepDirectories } from './step-directories.ts';

/** The job of a step. Omitted members come from the payload of the event, or have the value of a hosted runner. */
export interface JobDescription {
  readonly event: { readonly name: string; readonly payload: unknown };
  /** `owner/name`. Default: the payload's repository. */
  readonly repository?: string;
  readonly serverUrl?: string;
  readonly apiUrl?: string;
  readonly graphqlUrl?: string;
  /** The token of the workflow, `github.token`. */
  readonly token?: string;
  readonly actor?: string;
  /** The account that starts this attempt. Default: `actor`. */
  readonly triggeringActor?: string;
  readonly runId?: number;
  readonly runAttempt?: number;
  readonly workflow?: string;
  readonly job?: string;
  readonly sha?: string;
  readonly ref?: string;
}

/** The numeric id of the repository. It is the same in every job. */
export const REPOSITORY_ID = '1296269';

/** Makes the `github` context. GitHub also exposes some of its members as variables `GITHUB_*`. */
export function githubContext(
  job: JobDescription,
  places: StepDirectories,
): Readonly<Record<string, string>> {
  const payload = isObject(job.event.payload) ? job.event.payload : {};
  const repository = job.repository ?? textAt(objectAt(payload, 'repository'), 'full_name') ?? 'octocat/demo';
  const serverUrl = job.serverUrl ?? 'https://github.com';
  const actor = job.actor ?? textAt(objectAt(payload, 'sender'), 'login') ?? 'octocat';
  const refs = refsOf(job.event.name, payload);
  const ref = job.ref ?? refs.ref;
  return {
    actor,
    api_url: job.apiUrl ?? 'https://api.github.com',
    base_ref: refs.baseRef,
    event_name: job.event.name,
    event_path: places.eventPath,
    graphql_url: job.graphqlUrl ?? 'https://api.github.com/graphql',
    head_ref: refs.headRef,
    job: job.job ?? 'security',
    ref,
    ref_name: ref.replace(/^refs\/(?:heads|tags|pull)\//, ''),
    ref_type: 'branch',
    repository,
    repository_id: REPOSITORY_ID,
    repository_owner: repository.split('/')[0] ?? '',
    run_attempt: String(job.runAttempt ?? 1),
    run_id: String(job.runId ?? 9_000_000_001),
    run_number: '1',
    server_url: serverUrl,
    sha: job.sha ?? refs.sha,
    token: job.token ?? '',
    triggering_actor: job.triggeringActor ?? actor,
    workflow: job.workflow ?? 'Security',
    workflow_ref: `${repository}/.github/workflows/security.yml@${ref}`,
    workflow_sha: job.sha ?? refs.sha,
    workspace: places.workspace,
  };
}

/** Makes the `runner` context. GitHub also exposes its members as variables `RUNNER_*`. */
export function runnerContext(places: StepDirectories, debug: boolean): Readonly<Record<string, string>> {
  return {
    arch: process.arch === 'arm64' ? 'ARM64' : 'X64',
    environment: 'github-hosted',
    name: 'GitHub Actions 1',
    os: process.platform === 'darwin' ? 'macOS' : 'Linux',
    temp: places.temp,
    workspace: places.workspace,
    ...(debug ? { debug: '1' } : {}),
  };
}

/** Makes a minimal environment. It has the variables of the contexts. From this process, it takes only `PATH`. */
export function stepEnvironment(
  { token: _, ...github }: Readonly<Record<string, string>>,
  runner: Readonly<Record<string, string>>,
  home: string,
): Record<string, string> {
  const variables = (prefix: string, values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`${prefix}_${name.toUpperCase()}`, value]),
    );
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    ...variables('GITHUB', github),
    ...variables('RUNNER', runner),
  };
}

/** Finds the refs of the event. For `pull_request`, `GITHUB_SHA` is GitHub's merge commit and not the head. */
function refsOf(event: string, payload: JsonObject) {
  const pull = objectAt(payload, 'pull_request');
  const group = objectAt(payload, 'merge_group');
  const base = objectAt(pull, 'base');
  const headRef = textAt(objectAt(pull, 'head'), 'ref') ?? '';
  const baseRef = textAt(base, 'ref') ?? '';
  const none = '0'.repeat(40);
  if (event === 'pull_request') {
    const sha = textAt(pull, 'merge_commit_sha') ?? none;
    return { ref: `refs/pull/${pull['number']}/merge`, sha, headRef, baseRef };
  }
  if (event === 'pull_request_target') {
    return { ref: `refs/heads/${baseRef}`, sha: textAt(base, 'sha') ?? none, headRef, baseRef };
  }
  const ref = textAt(group, 'head_ref') ?? textAt(payload, 'ref') ?? 'refs/heads/main';
  return {
    ref,
    sha: textAt(group, 'head_sha') ?? textAt(payload, 'after') ?? none,
    headRef: '',
    baseRef: '',
  };
}
