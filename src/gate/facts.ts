import type { CurrentTarget, PullRequestRead } from '../change/current-target.ts';
import { type FoundDiffBase, findDiffBase } from '../change/diff-base.ts';
import { refusePayment, refuseTarget } from '../change/fork-policy.ts';
import {
  changesGuidance,
  type GuidanceFile,
  guidanceCommit,
  readGuidanceFile,
  readTrunkCommit,
  takesEffectLater,
  withStoredGuidance,
} from '../change/guidance-file.ts';
import { decideByPaths, type PathsDecision } from '../change/unscanned-paths.ts';
import type { GuidanceSource } from '../domain/guidance.ts';
import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import { type ScanTarget, scanKindOf } from '../domain/target.ts';
import { readCommitTree } from '../github/compare.ts';
import { planBase } from '../preflight/planned-base.ts';
import { type Preflight, parametersFault, preflight } from '../preflight/preflight.ts';
import { readStoredGuidance, refuseTwoGuidances } from '../preflight/token-check.ts';
import type { Inputs } from '../runner/inputs.ts';
import { type EarlierMarks, findEarlierMarks } from '../scan/marks.ts';
import type { ScanTrees } from '../scan/scan-mark.ts';
import type { LaunchParameters } from '../scan-api/wire-writes.ts';
import type { ChangeDeps, PlannedGuidance } from './plan.ts';

/**
 * Returns a function that calls `ask` only once, and always returns the same promise. If `ask` fails, every caller that
 * awaits the promise sees the failure.
 */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined) {
      answer = ask();
      // If `ask` fails while no caller awaits the promise, this handler keeps Node from ending the process.
      answer.catch(() => {});
    }
    return answer;
  };
}

/** The guidance that the launch sends. */
export interface FoundGuidance extends PlannedGuidance {
  readonly source: GuidanceSource;
  readonly warnings: readonly string[];
}

/** The facts that the guidance depends on. */
export interface GuidanceFacts {
  base(): Promise<Result<FoundDiffBase, NotScanned>>;
  preflight(): Promise<Result<Preflight, NotScanned>>;
}

type GuidanceDeps = Pick<ChangeDeps, 'api' | 'github' | 'signal'>;

/**
 * Reads the file that `guidance-file` names, and composes it with the guidance that the service stores for the
 * repository.
 *
 * Returns undefined if the input is empty. Also returns undefined if `preflight` or `base` is an error, because that
 * error ends the run. Returns an error if one of the texts cannot be read, because the run never sends only a part of
 * the guidance.
 */
export async function findGuidance(
  deps: GuidanceDeps,
  target: ScanTarget,
  path: string | undefined,
  facts: GuidanceFacts,
): Promise<Result<FoundGuidance | undefined, NotScanned>> {
  const { api, signal } = deps;
  if (path === undefined) return ok(undefined);
  const [file, stored] = await Promise.all([readFile(deps, path, target, facts), readStored()]);
  const [ready, measured] = await Promise.all([facts.preflight(), facts.base()]);
  if (!ready.ok || !measured.ok) return ok(undefined);
  if (!file.ok) return file;
  if (!stored.ok) return stored;
  const text = withStoredGuidance(file.value.file, stored.value);
  if (!text.ok) return text;
  return ok({
    fileHash: file.value.file.hash,
    text: text.value,
    source: sourceOf(file.value.file),
    warnings: file.value.isChanged ? [takesEffectLater(path)] : [],
  });

  async function readStored(): Promise<Result<string | null, NotScanned>> {
    const known = await facts.preflight();
    return known.ok
      ? readStoredGuidance(api, known.value.projectId, known.value.repository.id, signal)
      : ok(null);
  }
}

async function readFile(
  deps: GuidanceDeps,
  path: string,
  target: ScanTarget,
  { base }: Pick<GuidanceFacts, 'base'>,
): Promise<Result<{ readonly file: GuidanceFile; readonly isChanged: boolean }, NotScanned>> {
  // The target of a pull request already has the tip of the base branch. So the run does not wait for the merge base
  // here.
  const measured = target.base.kind === 'branch' ? undefined : await base();
  const stack = target.pullRequest?.stack;
  const commit =
    stack === undefined
      ? ok(guidanceCommit(target, measured?.ok ? measured.value.diffBase : undefined))
      : await readTrunkCommit(deps, path, stack.trunk);
  if (!commit.ok) return commit;
  const file = await readGuidanceFile(deps, path, commit.value);
  if (!file.ok) return file;
  if (target.pullRequest === undefined) return ok({ file: file.value, isChanged: false });
  const found = await base();
  const isChanged = found.ok && (await changesGuidance(deps, file.value, found.value.diffBase));
  return ok({ file: file.value, isChanged });
}

function sourceOf({ path, commitSha, characters, hash }: GuidanceFile): GuidanceSource {
  return { path, commitSha, characters, hash };
}

export interface FactsDeps extends Omit<ChangeDeps, 'inputs'> {
  readonly inputs: Inputs;
  readonly parameters: LaunchParameters;
  /**
   * Reads the pull request as it is now. Returns an error if it is open with another head than the event, or if neither
   * GitHub nor the event shows its current state.
   */
  readonly current: () => Promise<Result<CurrentTarget, NotScanned>>;
}

/** Proof that the run may use the service. */
export interface Admission {
  /** The base that the workflow sets. It was not compared with the head yet. Undefined if the run computes the base. */
  readonly givenBase: string | undefined;
  /** Why nothing may be launched for a fork. A scan that is paid for may still be read. */
  readonly unpaid: NotScanned | undefined;
}

/** Facts about the event. The run needs them before it determines the change. */
export interface EventFacts {
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
   * The trees of base and head. Undefined if one cannot be read, if the workflow sets the base, or for a full scan. A
   * base that the workflow sets might not be an ancestor of the head.
   */
  trees(): Promise<ScanTrees | undefined>;
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
  const { seal, parameters, environment, token } = deps;
  const { baseSha, guidanceFile, scanForks } = deps.inputs.setup;
  const admission = once(async (): Promise<Result<Admission, NotScanned>> => {
    const refusal = refuseTarget(event, { hasToken: !seal.isEmpty, scanForks });
    if (refusal !== undefined) return err(refusal);
    const unpaid =
      scanForks === 'trusted' ? await refusePayment(deps, event, environment.triggeringActor) : undefined;
    const given = planBase(event.headSha, baseSha, parameters);
    if (!given.ok) return err(unpaid ?? given.error);
    const twoGuidances = refuseTwoGuidances(guidanceFile, parameters);
    if (twoGuidances !== undefined) return err(unpaid ?? twoGuidances);
    return ok({ givenBase: given.value, unpaid });
  });
  const firstOfService = once(async () => {
    const admitted = await admission();
    if (!admitted.ok || admitted.value.unpaid !== undefined) return;
    if (parametersFault(parameters) === undefined) await token();
  });
  return {
    admission,
    begin: () => {
      void deps.current();
      void firstOfService();
    },
  };
}

export function factsOfChange(
  deps: FactsDeps,
  { target, read }: Pick<CurrentTarget, 'target' | 'read'>,
  { givenBase }: Pick<Admission, 'givenBase'>,
): ChangeFacts {
  const { github, inputs, seal, log, signal } = deps;
  const { runId, runAttempt } = deps.environment;
  const { connection, setup, delivery, reuseScan } = inputs;
  const isComputed = givenBase === undefined && scanKindOf(target) === 'diff';
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
    trees: once(async () => (isComputed ? findTrees(deps, target, read, base) : undefined)),
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
 * The time limit for reading the tree of a commit. Our choice. A tree can save a scan, but a longer wait would delay the
 * launch too much.
 */
const TREE_MS = 10_000;

async function findTrees(
  deps: FactsDeps,
  { headSha }: ScanTarget,
  read: PullRequestRead | undefined,
  base: ChangeFacts['base'],
): Promise<ScanTrees | undefined> {
  const shown = read?.state.headSha === headSha ? read.state.headTree : undefined;
  const [head, baseTree] = await Promise.all([shown ?? findTree(deps, headSha), findBaseTree(deps, base)]);
  return head && baseTree ? { base: baseTree, head } : undefined;
}

async function findBaseTree(deps: FactsDeps, base: ChangeFacts['base']): Promise<string | undefined> {
  const found = await base();
  if (!found.ok) return undefined;
  const { baseSha, baseTree } = found.value.diffBase;
  // Git finds a merge base without its tree.
  return baseTree ?? (baseSha && findTree(deps, baseSha));
}

async function findTree(
  { github, clock, signal }: FactsDeps,
  commitSha: string,
): Promise<string | undefined> {
  const limit = clock.timeout(TREE_MS);
  const tree = await readCommitTree(github, commitSha, AbortSignal.any([signal, limit.signal]));
  limit.clear();
  return tree.ok ? tree.value : undefined;
}
