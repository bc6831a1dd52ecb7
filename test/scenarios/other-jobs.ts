import { expect } from 'vitest';
import type { CheckRunRecord } from '../../sandbox/github/check-runs.ts';
import { isObject } from '../../sandbox/json.ts';
import { REPOSITORY_ID } from '../../sandbox/runner/job.ts';
import type { StepControls } from '../../sandbox/runner/step-process.ts';
import type { ScanServiceOptions } from '../../sandbox/scan-service/options.ts';
import { createSeal } from '../../src/domain/seal.ts';
import {
  encodeMark,
  exactKey,
  readMark,
  type ScanKeyFields,
  type ScanMark,
} from '../../src/scan/scan-mark.ts';
import { MERGE_BASE } from './repository.ts';
import { runAgain } from './reuse.ts';
import { prepare, type Scenario, type ScenarioOptions, type ScenarioResult } from './scenario.ts';
import { isOfStranger, launchAsStranger, TWO_USERS } from './stranger.ts';
import { type Asked, startTimeline, type Timeline } from './timeline.ts';

/** How long a scan runs after its launch, and how it ends. */
export interface Course {
  readonly runsForMs?: number;
  readonly endsAs?: 'COMPLETED' | 'FAILED' | 'CANCELLED';
}

export interface MarkOptions {
  /** These members replace those of the default mark, which names run 6 and this change. */
  readonly mark?: Partial<ScanMark>;
  /** These fields replace those of the action's key. */
  readonly key?: Partial<ScanKeyFields>;
  readonly name?: string;
  readonly status?: 'in_progress' | 'completed';
  readonly headSha?: string;
  /** GitHub lists the check run only while this returns true. */
  readonly isListed?: () => boolean;
}

/** Controls what other jobs do with the change of a scenario, before and during the run of the action. */
export interface OtherJobs {
  readonly scenario: Scenario;
  /** Milliseconds since the start of the run. */
  now(): number;
  /** The number of requests of this kind to the service and GitHub. Launches of other jobs do not count. */
  count(point: string): number;
  /** Launches a scan with this id for the change. */
  launch(scanId: string, course?: Course, extra?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Creates a check run with a mark for this scan of the change. */
  mark(scanId: string, options?: MarkOptions): Promise<CheckRunRecord>;
  /** Replaces the mark in the check run with a mark for this scan. */
  moveMark(checkRun: CheckRunRecord, scanId: string): void;
  /** Returns the text of a mark for this scan. */
  markText(scanId: string, options?: MarkOptions): string;
  /** True if another job or the action has launched this scan. */
  has(scanId: string): boolean;
  /** The scans in the marks of the head's check runs, in the order of the check runs. */
  marked(): readonly (string | undefined)[];
  /** The scans for which the action sent a cancel request, each once. */
  cancelled(): readonly string[];
  /** Cancels the job of the newest run, as GitHub does. */
  cancelJob(): void;
  /** Ends the process of the newest run, as if its machine were lost. */
  loseMachine(): void;
  /** The requests of these kinds that the newest run has sent: `graphql|pulls.read`. */
  sent(kinds: string): readonly Asked[];
  /** Runs the action. `at` says what happens at its requests. */
  run(
    run?: Parameters<typeof runAgain>[1],
    inputs?: Readonly<Record<string, string>>,
    at?: Timeline,
  ): Promise<ScenarioResult>;
}

export interface OtherJobsOptions {
  /** The course of the scans that the action launches. Default: a scan runs for a minute. */
  readonly own?: Course | ((launch: number) => Course);
  /**
   * False: scans have no times and no chosen ids, other jobs launch nothing, and either driver runs the action. Default:
   * true.
   */
  readonly hasTimes?: boolean;
  readonly setting?: Pick<
    ScenarioOptions,
    'head' | 'visibility' | 'driver' | 'timeScale' | 'baseRef' | 'ownRepository'
  >;
  /** The id of the scan that the action launches. Default: `own-1`, `own-2` and so on. */
  readonly ownId?: (launch: number) => string;
  readonly service?: Partial<ScanServiceOptions>;
  readonly github?: ScenarioOptions['github'];
  /** What happens at the requests of a step that `run` does not start. */
  readonly at?: Timeline;
}

const LAUNCHED_AT = 1_790_000_000;

/** Prepares a scenario in which other jobs act, in virtual time. */
export async function withOtherJobs(options: OtherJobsOptions = {}): Promise<OtherJobs> {
  const due = new Map<string, { readonly at: number; readonly endsAs: Course['endsAs'] }>();
  const listed = new Map<number, () => boolean>();
  let next: { readonly scanId: string; readonly course: Course } | undefined;
  let launches = 0;
  let began = 0;
  let isOther = false;
  let controls: StepControls | undefined;
  let sent: Asked[] = [];
  let timeline = startTimeline(options.at ?? {});
  const { hasTimes = true } = options;

  const scenario = await prepare({
    ...options.setting,
    ...(hasTimes && { driver: 'in process' }),
    service: {
      ...(hasTimes && {
        ...TWO_USERS,
        pace: { hold: true, phasesPerPoll: Number.POSITIVE_INFINITY },
        scanId: () => {
          const { scanId, course } = next ?? own();
          const { runsForMs = 60_000, endsAs } = course;
          due.set(scanId, { at: scenario.environment.now() + runsForMs, endsAs });
          return scanId;
        },
      }),
      ...options.service,
      intercept: async ({ point, path, headers, body }) => {
        if (hasTimes && isOfStranger(scenario, headers.authorization)) return undefined;
        endWhatIsDue();
        const scanId = /\/scans\/([^/?]+)/.exec(path)?.[1] ?? '';
        const asked = { point, scanId, path, body, ms: jobs.now() };
        sent.push(asked);
        return timeline.meet(jobs, asked);
      },
    },
    github: {
      ...options.github,
      intercept: async ({ point, path, body: sentBody }) => {
        const asked = { point, scanId: '', path, body: sentBody, ms: jobs.now() };
        if (!isOther) sent.push(asked);
        const given = isOther ? undefined : await timeline.meet(jobs, asked);
        if (given !== undefined || point !== 'check.list' || listed.size === 0) return given;
        return { rewrite: ({ body, ...answer }) => ({ ...answer, body: withoutUnlisted(body) }) };
      },
    },
  });
  const { environment } = scenario;
  const { service, github } = environment;
  const seal = createSeal(service.token, REPOSITORY_ID);
  const baseSha = scenario.repository.id(MERGE_BASE);
  const keyFields: ScanKeyFields = {
    repositoryId: service.repositories[0]?.id ?? '',
    pullRequest: environment.pullRequest,
    headSha: scenario.headSha,
    baseSha,
    presetRef: 'diff-review',
    creditBudget: 20,
    launchParameters: {},
  };

  function own() {
    launches += 1;
    return {
      scanId: options.ownId?.(launches) ?? `own-${launches}`,
      course: (typeof options.own === 'function' ? options.own(launches) : options.own) ?? {},
    };
  }

  function endWhatIsDue(): void {
    for (const [scanId, { at, endsAs }] of due) {
      if (environment.now() < at) continue;
      due.delete(scanId);
      const ended = service.scans().find(({ id }) => id === scanId)?.status ?? 'FAILED';
      if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(ended)) continue;
      if (endsAs === 'FAILED') service.control.fail(scanId);
      else if (endsAs === 'CANCELLED') service.control.cancel(scanId);
      else service.control.release(scanId);
    }
  }

  function withoutUnlisted(body: unknown): unknown {
    if (!isObject(body) || !Array.isArray(body['check_runs'])) return body;
    const rows: readonly unknown[] = body['check_runs'];
    const shown = rows.filter((row) => !isObject(row) || (listed.get(Number(row['id'])) ?? (() => true))());
    return { ...body, check_runs: shown, total_count: shown.length };
  }

  const jobs: OtherJobs = {
    scenario,
    now: () => environment.now() - began,
    count: (point) => {
      const requests = [...service.requests, ...github.requests];
      return requests.filter((request) => request.point === point).length - strangers(point);
    },
    launch: async (scanId, course = {}, extra = {}) => {
      next = { scanId, course };
      const launched = await environment.hold(() => launchAsStranger(scenario, extra));
      next = undefined;
      theirs += 1;
      expect(launched).toBe(scanId);
    },
    markText: (scanId, { mark, key } = {}) =>
      encodeMark(
        {
          scanId,
          pullRequest: environment.pullRequest,
          headSha: scenario.headSha,
          baseSha,
          key: exactKey({ ...keyFields, ...key }),
          launchedAt: LAUNCHED_AT,
          runId: 6,
          runAttempt: 1,
          ...mark,
        },
        seal,
      ),
    mark: async (scanId, given = {}) => {
      const { name = 'Security scan', status = 'in_progress', headSha = scenario.headSha } = given;
      isOther = true;
      const answer = await environment.hold(() =>
        fetch(`${github.apiUrl}/repos/${environment.repository}/check-runs`, {
          method: 'POST',
          headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            name,
            head_sha: headSha,
            external_id: jobs.markText(scanId, given),
            ...(status === 'completed' ? { status, conclusion: 'success' } : { status }),
          }),
        }),
      );
      isOther = false;
      expect(answer.status).toBe(201);
      const created = github.checkRuns.at(-1) ?? expect.unreachable();
      if (given.isListed !== undefined) listed.set(created.id, given.isListed);
      return created;
    },
    moveMark: (checkRun, scanId) => void Object.assign(checkRun, { externalId: jobs.markText(scanId) }),
    has: (scanId) => service.scans().some(({ id }) => id === scanId),
    marked: () =>
      github.checkRuns
        .filter(({ headSha }) => headSha === scenario.headSha)
        .map(({ externalId }) => readMark(externalId ?? '', seal)?.scanId),
    cancelled: () => {
      const requests = service.requests.filter(({ point }) => point === 'scans.cancel');
      return [...new Set(requests.map(({ path }) => /\/scans\/([^/?]+)/.exec(path)?.[1] ?? ''))];
    },
    cancelJob: () => controls?.cancel(),
    loseMachine: () => controls?.kill('SIGKILL'),
    sent: (kinds) => sent.filter(({ point }) => kinds.split('|').includes(point)),
    run: async (run = {}, inputs = {}, at = {}) => {
      began = environment.now();
      sent = [];
      timeline = startTimeline(at);
      const onStart = (started: StepControls) => {
        controls = started;
      };
      const timeout = hasTimes ? { 'timeout-minutes': '30' } : {};
      const result = await runAgain(scenario, { onStart, ...run }, { ...timeout, ...inputs });
      // If a request never came, the row does not test what it says.
      expect(timeline.unused(), result.run.log).toEqual([]);
      timeline = startTimeline({});
      return result;
    },
  };
  let theirs = 0;
  const strangers = (point: string) => (point === 'scans.launch' ? theirs : 0);
  return jobs;
}
