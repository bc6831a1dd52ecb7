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
import type { LaunchParameters } from '../scan-api/wire-writes.ts';
import { type FoundGuidance, findGuidance } from './find-guidance.ts';
import type { ChangeDeps } from './launch-change.ts';
import { once } from './once.ts';

export interface FactsDeps extends Omit<ChangeDeps, 'inputs'> {
  readonly inputs: Inputs;
  readonly parameters: LaunchParameters;
}

/** Proof that the run may use the service. */
export interface Admission {
  /** The base that the workflow sets. It was not compared with the head yet. Undefined if the run computes the base. */
  readonly givenBase: string | undefined;
}

/** Facts about the event. The run needs them before it determines the change. */
export interface EventFacts {
  /**
   * Reads the pull request as it is now. Returns an error if it is open with another head than the event, or if neither
   * GitHub nor the event shows its current state.
   */
  current(): Promise<Result<CurrentTarget, NotScanned>>;
  /**
   * Returns an error if the change may not be scanned, or if the inputs contradict each other. The run then sends no
   * request to the service.
   */
  admission(): Promise<Result<Admission, NotScanned>>;
  /** Starts to read the pull request. After admission, also starts the first request to the service. */
  begin(): void;
}

/** Facts about the change of the event. */
export interface ChangeFacts {
  /** Reads what the launch needs from the service. */
  preflight(): Promise<Result<Preflight, NotScanned>>;
  /** Finds the base of the change. Returns an error if the workflow sets a base that equals or contains the head. */
  base(): Promise<Result<FoundDiffBase, NotScanned>>;
  /** Reads the marks of earlier scans once, at the start of the run. Every call returns the same marks. */
  marks(): Promise<EarlierMarks>;
  /**
   * The SHA of the head's tree. Undefined if it cannot be read, or if this run may not reuse a scan of the same files.
   */
  headTree(): Promise<string | undefined>;
  /**
   * The guidance of `guidance-file`. Undefined if this input is empty. Also undefined if `preflight` or `base` is an
   * error, because the run reports that error.
   */
  guidance(): Promise<Result<FoundGuidance | undefined, NotScanned>>;
  /** Says whether `paths-unscanned` makes a scan unnecessary. Undefined if `base` is an error. */
  byPaths(): Promise<PathsDecision | undefined>;
}

/**
 * Creates the facts about the event. Each fact is read when a caller first needs it. All calls return the same answer.
 */
export function factsOfEvent(deps: FactsDeps, event: ScanTarget): EventFacts {
  const { github, seal, parameters, signal, environment, token } = deps;
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
  const firstOfService = once(async () => {
    const admitted = await admission();
    if (admitted.ok && parametersFault(parameters) === undefined) await token();
  });
  return {
    current,
    admission,
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
): ChangeFacts {
  const { github, inputs, seal, log, signal } = deps;
  const { runId, runAttempt } = deps.environment;
  const { connection, setup, delivery, reuseScan } = inputs;
  // If the workflow sets the base, no scan of the same files is reused, because this base might not be an ancestor of
  // the head.
  const takesSameFiles = reuseScan && givenBase === undefined && scanKindOf(target) === 'diff';
  const base = once(() => findDiffBase({ ...deps, githubToken: connection.githubToken }, target, givenBase));
  const prepared = once(() => prepare(deps, target));
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

function prepare(
  { environment, inputs, parameters, api, token, clock, signal }: FactsDeps,
  target: ScanTarget,
): Promise<Result<Preflight, NotScanned>> {
  return preflight(
    { api, askToken: token, clock, signal },
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

/**
 * The time limit for reading the tree of the head. Our choice. The tree can save a scan, but a longer wait would delay
 * the launch too much.
 */
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
