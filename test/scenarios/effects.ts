import { expect } from 'vitest';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import type { PullRequestChange } from '../../sandbox/github/pull-requests.ts';
import { isObject } from '../../sandbox/json.ts';
import type { Triage } from '../../sandbox/scan-service/control.ts';
import type { Course, MarkOptions, OtherJobs } from './other-jobs.ts';
import type { Head } from './repository.ts';
import { type Act, apply, type Effect, type Timeline } from './timeline.ts';

// What happens to the pull request.

/** Changes members of the pull request. */
export const changes =
  (change: PullRequestChange): Act =>
  ({ scenario: { environment } }) =>
    void environment.github.edit(environment.pullRequest, change);
/** Pushes this head to the pull request. */
export const pushes =
  (head: Head): Act =>
  ({ scenario: { environment, repository } }) =>
    void environment.github.setHead(environment.pullRequest, repository.id(head));
export const push = pushes('low');
/** Moves the pull request to another base branch. */
export const retarget = changes({ baseRef: 'stable' });
export const close = changes({ state: 'closed' });
export const reopen = changes({ state: 'open' });
/** GitHub cancels the job of the run. */
export const cancelJob: Act = (jobs) => void jobs.cancelJob();
/** The machine of the run is lost. */
export const loseMachine: Act = (jobs) => void jobs.loseMachine();
export const nothing: Act = () => undefined;

// What the service and GitHub answer.

/** The reads of the pull request. A failed read sends three requests by GraphQL and three by REST. */
export const READS = 'graphql|pulls.read';

export const failing: Interception = { status: 502, body: 'Bad Gateway' };
export const unavailable: Interception = { status: 503, body: 'Service Unavailable' };
/** The answer is lost after the request was processed. */
export const lost: Interception = { fault: 'reset-after' };
/** The request does not arrive. */
export const unsent: Interception = { fault: 'reset-before' };
export const hanging: Interception = { fault: 'hang-before' };
/** A refusal by GitHub. */
export const refusing = (
  status: number,
  message = 'no',
  headers: Readonly<Record<string, string>> = {},
): Interception => ({ status, headers, body: { message } });
export const forbidden = refusing(403, 'Resource not accessible by integration');
/** GitHub does not find it. */
export const missing = refusing(404, 'Not Found');
/** A refusal by the service. */
export const refusingAs = (status: number, code: string): Interception => ({
  status,
  body: { error: { code, message: '' } },
});
/** The service does not know it. */
export const unknown = refusingAs(404, 'not_found');
/** A rate limit that ends after so many seconds. */
export const limited = (seconds: number): Interception => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: { error: 'rate_limited' },
});
/** Replaces the first match of each pattern in the JSON of the answer. */
export const showing = (...replacements: readonly (readonly [RegExp, string])[]): Interception => ({
  rewrite: ({ body, ...answer }: Answer): Answer => {
    const text = replacements.reduce((json, [from, to]) => json.replace(from, to), JSON.stringify(body));
    return { ...answer, body: JSON.parse(text) };
  },
});
/** The answer with this body. */
export const showingInstead = (change: (body: unknown) => unknown): Interception => ({
  rewrite: ({ body, ...answer }: Answer): Answer => ({ ...answer, body: change(body) }),
});
/** The list with this name in the answer, with these entries before the others. */
export const adding = (list: string, ...entries: readonly unknown[]): Interception =>
  showingInstead((body) => {
    const known: unknown = isObject(body) ? body[list] : [];
    return { ...(isObject(body) && body), [list]: [...entries, ...(Array.isArray(known) ? known : [])] };
  });
/** GitHub shows this head of the pull request. */
export const showingHead =
  (head: Head, ...more: readonly (readonly [RegExp, string])[]): Act =>
  ({ scenario: { repository } }) =>
    showing([/(?<="headRefOid":")[0-9a-f]+/, repository.id(head)], ...more);
/** GitHub shows no base branch of the pull request. */
export const withoutBase = showing([/"baseRef":\{[^}]*\}\}/, '"baseRef":null']);
/** The pull request has no comments. */
export const withoutComments: Interception = showingInstead((body) =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'comments' ? { pageInfo: { hasNextPage: false }, nodes: [] } : value,
  ),
);
export const initializing = refusingAs(409, 'repository_initializing');
/** The repository is not ready. */
export const analyzing = showing([/"ready"/g, '"analyzing"']);

/** Applies the effect only while the condition holds. */
export const onlyIf =
  (condition: (jobs: OtherJobs) => boolean, effect: Effect): Act =>
  (jobs, asked) =>
    condition(jobs) ? apply(effect, jobs, asked) : undefined;
/** Applies the effect until the run is this old. */
export const until = (ms: number, effect: Effect): Act => onlyIf((jobs) => jobs.now() < ms, effect);
/** Applies the effect from this age of the run on. */
export const since = (ms: number, effect: Effect): Act => onlyIf((jobs) => jobs.now() >= ms, effect);

// What other jobs do.

/** Another job launches a scan. */
export const launches =
  (scanId: string, course: Course = {}, extra: Readonly<Record<string, unknown>> = {}): Act =>
  async (jobs) => {
    if (!jobs.has(scanId)) await jobs.launch(scanId, course, extra);
    return undefined;
  };
/** Another job creates a check run with a mark for this scan. */
export const marks =
  (scanId: string, options: MarkOptions = {}): Act =>
  async (jobs) =>
    void (await jobs.mark(scanId, options));
/** Another job marks this scan. GitHub lists the check run only while the condition holds. */
export const marksOnlyIf =
  (isListed: (jobs: OtherJobs) => boolean, scanId: string, options: MarkOptions = {}): Act =>
  async (jobs) =>
    void (await jobs.mark(scanId, { ...options, isListed: () => isListed(jobs) }));
/** Another job launches and marks a scan. */
export const works = (scanId: string, course: Course = {}, options: MarkOptions = {}): readonly Act[] => [
  launches(scanId, course),
  marks(scanId, options),
];
/** A user triages every finding of the newest scan. */
export const triages =
  (verdict: Triage): Act =>
  ({ scenario: { environment } }) => {
    const { service } = environment;
    for (const id of service.scans()[0]?.findingIds ?? []) service.control.triage(id, verdict);
    return undefined;
  };
/** The scan of the request fails. */
export const fail: Act = ({ scenario }, { scanId }) => void scenario.environment.service.control.fail(scanId);

// Earlier runs.

type Run = Parameters<OtherJobs['run']>[0];

/** A run of the action that ends. */
export const anEarlierRun =
  (
    inputs: Readonly<Record<string, string>> = {},
    at: Timeline = {},
    run: Run | ((jobs: OtherJobs) => Run) = {},
  ): Act =>
  async (jobs) =>
    void (await jobs.run(typeof run === 'function' ? run(jobs) : run, inputs, at));

/** A run whose machine is lost while its scan runs. The `post` step of this run never starts. */
export const aLostRun =
  (inputs: Readonly<Record<string, string>> = {}, run: (jobs: OtherJobs) => Run = () => ({})): Act =>
  async (jobs) => {
    const { log, signal } = await jobs.scenario.environment.run({
      ...run(jobs),
      inputs,
      onLine: (line, { kill }) => {
        if (line.includes('Scan queued') || line.includes('Scan running')) kill('SIGKILL');
      },
    });
    expect(signal, log).toBe('SIGKILL');
    return undefined;
  };
