import { type CurrentTarget, findCurrentTarget, type PullRequestRead } from '../change/current-target.ts';
import { type FoundDiffBase, findDiffBase } from '../change/diff-base.ts';
import { refuseTarget } from '../change/fork-policy.ts';
import { decideByPaths, type PathsDecision } from '../change/unscanned-paths.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { type ScanTarget, scanKindOf } from '../domain/target.ts';
import { readCommitTree } from '../github/commit-tree.ts';
import { planBase } from '../preflight/planned-base.ts';
import { type Preflight, parametersFault, preflight } from '../preflight/preflight.ts';
import { refuseTwoGuidances } from '../preflight/stored-guidance.ts';
import type { Inputs } from '../runner/inputs.ts';
import { type EarlierMarks, findEarlierMarks } from '../scan/find-marks.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import type { LaunchParameters } from '../scan-api/wire-writes.ts';
import { type FoundGuidance, findGuidance } from './find-guidance.ts';
import type { ChangeDeps } from './launch-change.ts';

export interface FactsDeps extends Omit<ChangeDeps, 'inputs'> {
  readonly inputs: Inputs;
  readonly parameters: LaunchParameters;
}

/** The run may use the service. */
export interface Admission {
  /** The base that the workflow gives, not yet compared with the head; undefined if it has to be computed. */
  readonly givenBase: string | undefined;
}

/** What a run asks about its event, before it knows the change. */
export interface EventFacts {
  /** The pull request as it is now. An error if its head differs from the event's. */
  current(): Promise<Result<CurrentTarget, NotScanned>>;
  /**
   * An error if the change may not be scanned, or if what the workflow gives is inconsistent. Then no request reaches
   * the service.
   */
  admission(): Promise<Result<Admission, NotScanned>>;
  /** What the token may do. Asked only after admission. */
  token(): ReturnType<ScanApi['token']>;
  /**
   * Starts, at the same time, what most runs need: the read of the pull request and, after admission, the first request
   * to the service.
   */
  begin(): void;
}

/** What a run asks about its change. */
export interface ChangeFacts {
  /** What the launch needs from the service. */
  preflight(): Promise<Result<Preflight, NotScanned>>;
  /** Also an error if a given base equals or contains the head. */
  base(): Promise<Result<FoundDiffBase, NotScanned>>;
  /** The marks at the start of the run. */
  marks(): Promise<EarlierMarks>;
  /** The tree of the head's files; undefined if it cannot be read, or proves nothing. */
  headTree(): Promise<string | undefined>;
  /**
   * Undefined without `guidance-file`. Also undefined if `preflight` or `base` is an error, because that error is
   * reported.
   */
  guidance(): Promise<Result<FoundGuidance | undefined, NotScanned>>;
  /** Undefined if `base` is an error. */
  byPaths(): Promise<PathsDecision | undefined>;
}

/**
 * Asks each question when its answer is first needed, and keeps the answer, so callers need not pass promises around.
 */
export function factsOfEvent(deps: FactsDeps, event: ScanTarget): EventFacts {
  const { api, github, seal, parameters, signal, environment } = deps;
  const { baseSha, guidanceFile, scanForks } = deps.inputs.setup;
  const firstAttempt = environment.runAttempt === 1;
  const current = once(() => findCurrentTarget(deps, event, firstAttempt));
  const admission = once(async (): Promise<Result<Admission, NotScanned>> => {
    const refusal = await refuseTarget(github, event, { hasToken: !seal.isEmpty, scanForks }, signal);
    if (refusal !== undefined) return err(refusal);
    const given = planBase(event.headSha, baseSha, parameters);
    if (!given.ok) return given;
    const twoGuidances = refuseTwoGuidances(guidanceFile, parameters);
    return twoGuidances === undefined ? ok({ givenBase: given.value }) : err(twoGuidances);
  });
  const token = once(() => api.token({ signal }));
  const firstOfService = once(async () => {
    const admitted = await admission();
    if (admitted.ok && parametersFault(parameters) === undefined) await token();
  });
  return {
    current,
    admission,
    token,
    begin: () => {
      void current();
      void firstOfService();
    },
  };
}

export function factsOfChange(
  deps: FactsDeps,
  { target, read }: Pick<CurrentTarget, 'target' | 'read'>,
  { givenBase }: Admission,
  { token }: Pick<EventFacts, 'token'>,
): ChangeFacts {
  const { github, inputs, seal, log, signal } = deps;
  const { runId, runAttempt } = deps.environment;
  // A given base need not be an ancestor of the head, so its files prove nothing.
  const { connection, setup, delivery, reuseScan } = inputs;
  const takesSameFiles = reuseScan && givenBase === undefined && scanKindOf(target) === 'diff';
  const base = once(() => findDiffBase({ ...deps, githubToken: connection.githubToken }, target, givenBase));
  const prepared = once(() => prepare(deps, target, token));
  return {
    preflight: prepared,
    base,
    marks: once(() =>
      findEarlierMarks(
        {
          github,
          signal,
          inputs: { ...delivery, reuseScan },
          seal,
          runId,
          runAttempt,
          log,
          state: read?.state,
        },
        target,
      ),
    ),
    headTree: once(async () => (takesSameFiles ? findHeadTree(deps, target, read) : undefined)),
    guidance: once(() => findGuidance(deps, target, setup.guidanceFile, { base, preflight: prepared })),
    byPaths: once(async () => {
      const measured = await base();
      return measured.ok ? decideByPaths(deps, target, measured.value.diffBase, setup) : undefined;
    }),
  };
}

/** Asks once, when the answer is first needed. Keeps a failure too, and reports it where the answer is awaited. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined) {
      answer = ask();
      // A rejection that is not awaited yet would end the process without a report.
      answer.catch(() => {});
    }
    return answer;
  };
}

function prepare(
  { environment, inputs, parameters, api, clock, signal }: FactsDeps,
  target: ScanTarget,
  askToken: EventFacts['token'],
): Promise<Result<Preflight, NotScanned>> {
  return preflight(
    { api, askToken, clock, signal },
    {
      ...inputs.setup,
      projectId: inputs.connection.projectId,
      ...target.repository,
      scanKind: scanKindOf(target),
      launchParameters: parameters,
      willPublish: inputs.publish.when !== 'never',
      serverUrl: environment.serverUrl,
    },
  );
}

/** Our choice: the tree can only save a scan, so no launch waits longer for it. */
const HEAD_TREE_MS = 10_000;

async function findHeadTree(
  { github, clock, signal }: FactsDeps,
  { headSha }: ScanTarget,
  read: PullRequestRead | undefined,
): Promise<string | undefined> {
  if (read?.state.headSha === headSha && read.state.headTree !== undefined) return read.state.headTree;
  const limit = clock.timeout(HEAD_TREE_MS);
  const tree = await readCommitTree(github, headSha, AbortSignal.any([signal, limit.signal]));
  limit.clear();
  return tree.ok ? tree.value : undefined;
}
