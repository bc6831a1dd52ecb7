import { findDiffBase } from '../change/diff-base.ts';
import { refusePayment, refuseTarget } from '../change/fork-policy.ts';
import {
  type GuidanceFile,
  guidanceCommit,
  readGuidanceFile,
  readTrunkCommit,
  withStoredGuidance,
} from '../change/guidance-file.ts';
import { decideByPaths, type PathsDecision } from '../change/unscanned-paths.ts';
import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import { type DiffBase, type ScanTarget, scanKindOf } from '../domain/target.ts';
import { readCommitTree } from '../github/compare.ts';
import { withDeadline } from '../http/attempt.ts';
import { planBase } from '../preflight/planned-base.ts';
import { type Preflight, parametersFault, preflight } from '../preflight/preflight.ts';
import { readStoredGuidance, refuseTwoGuidances } from '../preflight/token-check.ts';
import { type EarlierMarks, findEarlierMarks } from '../scan/marks.ts';
import type { ScanTrees } from '../scan/scan-mark.ts';
import type { FoundGuidance, Gate } from './gate.ts';

/** The base of the change, while it is being found. */
type Measuring = Promise<Result<DiffBase, NotScanned>>;

/**
 * Reads the file that `guidance-file` names, and composes it with the guidance that the service stores for the
 * repository.
 *
 * Returns undefined if the input is empty. Also returns undefined if `preflight` or `base` is an error, because that
 * error ends the run. Returns an error if one of the texts cannot be read, because the run never sends only a part of
 * the guidance.
 */
async function findGuidance(
  gate: Gate,
  target: ScanTarget,
  path: string | undefined,
  base: Measuring,
  prepared: Promise<Result<Preflight, NotScanned>>,
): Promise<Result<FoundGuidance | undefined, NotScanned>> {
  const { api, signal } = gate;
  if (path === undefined) return ok(undefined);
  const storing = prepared.then((ready) =>
    ready.ok
      ? readStoredGuidance(api, ready.value.projectId, ready.value.repository.id, signal)
      : ok<string | null>(null),
  );
  const [file, stored] = await Promise.all([readFile(gate, path, target, base), storing]);
  const [ready, measured] = await Promise.all([prepared, base]);
  if (!ready.ok || !measured.ok) return ok(undefined);
  if (!file.ok) return file;
  if (!stored.ok) return stored;
  const composed = withStoredGuidance(file.value, stored.value);
  if (!composed.ok) return composed;
  const { text: _, ...source } = file.value;
  return ok({ text: composed.value, source });
}

async function readFile(
  gate: Gate,
  path: string,
  target: ScanTarget,
  base: Measuring,
): Promise<Result<GuidanceFile, NotScanned>> {
  // The target of a pull request already has the tip of the base branch. So the run does not wait for the merge base
  // here.
  const measured = target.base.kind === 'branch' ? undefined : await base;
  const stack = target.pullRequest?.stack;
  const commit =
    stack === undefined
      ? ok(guidanceCommit(target, measured?.ok ? measured.value : undefined))
      : await readTrunkCommit(gate, path, stack.trunk);
  return commit.ok ? readGuidanceFile(gate, path, commit.value) : commit;
}

/** Proof that the run may use the service. */
export interface Admission {
  /** The base that the workflow sets. It was not compared with the head yet. Undefined if the run computes the base. */
  readonly givenBase: string | undefined;
  /** Why nothing may be launched for a fork. A scan that is paid for may still be read. */
  readonly unpaid: NotScanned | undefined;
}

/**
 * Decides whether the event may use the service. Returns an error if the change may not be scanned, or if the inputs
 * contradict each other. The run then sends no request to the service. Otherwise starts the first of these requests, if
 * the run may launch a scan.
 */
export async function admit(gate: Gate, event: ScanTarget): Promise<Result<Admission, NotScanned>> {
  const { seal, parameters, environment, token } = gate;
  const { baseSha, guidanceFile, scanForks } = gate.inputs.setup;
  const refusal = refuseTarget(event, { hasToken: !seal.isEmpty, scanForks });
  if (refusal !== undefined) return err(refusal);
  const unpaid =
    scanForks === 'trusted' ? await refusePayment(gate, event, environment.triggeringActor) : undefined;
  const given = planBase(event.headSha, baseSha, parameters);
  if (!given.ok) return err(unpaid ?? given.error);
  const twoGuidances = refuseTwoGuidances(guidanceFile, parameters);
  if (twoGuidances !== undefined) return err(unpaid ?? twoGuidances);
  if (unpaid === undefined && parametersFault(parameters) === undefined) void token();
  return ok({ givenBase: given.value, unpaid });
}

/** What the run reads about its change, before it decides whether to scan it. */
export interface ChangeFacts {
  /** What the launch needs from the service. */
  readonly ready: Result<Preflight, NotScanned>;
  /** The base of the change. An error if the workflow sets a base that equals or contains the head. */
  readonly base: Result<DiffBase, NotScanned>;
  /** The marks of earlier scans. */
  readonly earlier: EarlierMarks;
  /**
   * The trees of base and head. Undefined if one cannot be read, if the workflow sets the base, or for a full scan. A
   * base that the workflow sets might not be an ancestor of the head.
   */
  readonly trees: ScanTrees | undefined;
  /**
   * The guidance of `guidance-file`. Undefined if this input is empty. Also undefined if `ready` or `base` is an error,
   * because the run reports that error.
   */
  readonly guidance: Result<FoundGuidance | undefined, NotScanned>;
  /** Says whether `paths-unscanned` makes a scan unnecessary. Undefined if `base` is an error. */
  readonly byPaths: PathsDecision | undefined;
}

/** Reads the facts about the change, all at the same time. @param earlier the marks, if the run has read them already */
export async function readFacts(
  gate: Gate,
  target: ScanTarget,
  { givenBase }: Admission,
  earlier: EarlierMarks | undefined,
): Promise<ChangeFacts> {
  const { connection, setup } = gate.inputs;
  const isComputed = givenBase === undefined && scanKindOf(target) === 'diff';
  const measuring = findDiffBase({ ...gate, githubToken: connection.githubToken }, target, givenBase);
  const prepared = preflight(gate, gate.token, { ...gate, target, serverUrl: gate.environment.serverUrl });
  const [base, ready, marks, trees, guidance, byPaths] = await Promise.all([
    measuring,
    prepared,
    earlier ?? readEarlierMarks(gate, target),
    isComputed ? findTrees(gate, target, measuring) : undefined,
    findGuidance(gate, target, setup.guidanceFile, measuring, prepared),
    measuring.then((found) => (found.ok ? decideByPaths(gate, target, found.value, setup) : undefined)),
  ]);
  return { base, ready, earlier: marks, trees, guidance, byPaths };
}

/** Reads the marks of earlier scans. */
export function readEarlierMarks(gate: Gate, target: ScanTarget): Promise<EarlierMarks> {
  const { runAttempt } = gate.environment;
  return findEarlierMarks({ ...gate, runAttempt, state: gate.watch?.first }, target);
}

/**
 * The time limit for reading the tree of a commit. Our choice. A tree can save a scan, but a longer wait would delay the
 * launch too much.
 */
const TREE_MS = 10_000;

async function findTrees(
  gate: Gate,
  { headSha }: ScanTarget,
  base: Measuring,
): Promise<ScanTrees | undefined> {
  const { first } = gate.watch ?? {};
  const shown = first?.headSha === headSha ? first.headTree : undefined;
  const [head, baseTree] = await Promise.all([shown ?? findTree(gate, headSha), findBaseTree(gate, base)]);
  return head && baseTree ? { base: baseTree, head } : undefined;
}

async function findBaseTree(gate: Gate, base: Measuring): Promise<string | undefined> {
  const found = await base;
  if (!found.ok) return undefined;
  const { baseSha, baseTree } = found.value;
  // Git finds a merge base without its tree.
  return baseTree ?? (baseSha && findTree(gate, baseSha));
}

async function findTree({ github, clock, signal }: Gate, commitSha: string): Promise<string | undefined> {
  const tree = await withDeadline({ clock, signal, ms: TREE_MS }, (attempt) =>
    readCommitTree(github.until(attempt.signal), commitSha),
  );
  return tree.ok ? tree.value : undefined;
}
