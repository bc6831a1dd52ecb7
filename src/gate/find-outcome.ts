import type { PullRequestRead } from '../change/current-target.ts';
import { findDiffBase } from '../change/diff-base.ts';
import { mergedSince } from '../change/push-base.ts';
import { decideByPaths, type PathsDecision } from '../change/unscanned-paths.ts';
import { type GuidanceSource, SHOWN_HASH_DIGITS } from '../domain/guidance.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Result } from '../domain/result.ts';
import { type DiffBase, type ScanTarget, scanKindOf } from '../domain/target.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { readCommitTree } from '../github/commit-tree.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import type { InputReading } from '../runner/inputs.ts';
import { findEarlierMarks } from '../scan/find-marks.ts';
import { contentKey, exactKey } from '../scan/scan-key.ts';
import { readLaunchParameters } from '../scan-api/wire-writes.ts';
import { findGuidance } from './find-guidance.ts';
import { type FoundTarget, findTarget, type TargetDeps } from './find-target.ts';
import type { ChangeDeps } from './launch-change.ts';
import { planLaunch } from './launch-plan.ts';
import { cancelForOlderHeads } from './older-heads.ts';
import { notScanned, type RunResult } from './run-result.ts';
import { scanChange } from './scan-change.ts';
import { createStepIdentity } from './step-identity.ts';

/** What the runner gives to a run. */
export interface RunnerInput {
  readonly environment: GitHubEnvironment;
  /** What the event names. */
  readonly event: Result<ScanTarget, NotScanned>;
  readonly reading: InputReading;
}

/**
 * The way from the event to the outcome: what is the target, may it be scanned, what is the change, scan it.
 * Expected failures are outcomes; what is worth a warning is logged on the way.
 */
export async function findOutcome(
  changeDeps: ChangeDeps,
  { environment, event, reading }: RunnerInput,
): Promise<RunResult> {
  const { inputs } = reading;
  // Forks get no variables either: an address that the workflow takes from one is empty like the token.
  const withheld = inputs.apiToken === '' && event.ok && event.value.secretsWithheld;
  const faults = [...(withheld ? [] : reading.missing), ...reading.faults];
  if (faults.length > 0)
    return { ...(event.ok ? { target: event.value } : {}), ...notScanned(inputErrors(faults)) };
  if (!event.ok) return notScanned(event.error);

  const parameters = readLaunchParameters(inputs.launchParameters);
  const deps = { ...changeDeps, environment, parameters };
  const found = await findTarget(deps, event.value);
  return found.kind === 'ended' ? found.result : scanTarget(deps, found);
}

async function scanTarget(
  deps: TargetDeps,
  { target, read, notices, givenBase, preparing }: FoundTarget,
): Promise<RunResult> {
  const { environment, inputs, parameters, github, log, signal } = deps;
  const { runAttempt } = environment;
  const earlierMarks = findEarlierMarks(
    { github, signal, inputs, runAttempt, log, state: read?.state },
    target,
  );
  // A base that is given need not be an ancestor of the head, so its files prove nothing.
  const takesSameFiles = inputs.reuseScan && givenBase === undefined && scanKindOf(target) === 'diff';
  const measuring = findDiffBase({ ...deps, githubToken: inputs.githubToken }, target, givenBase);
  const [base, ready, headTree, guidance, byPaths] = await Promise.all([
    measuring,
    preparing,
    takesSameFiles ? findHeadTree(deps, target, read) : undefined,
    findGuidance(deps, target, measuring, preparing),
    measuring.then((measured) =>
      measured.ok ? decideByPaths(deps, target, measured.value.diffBase, inputs) : undefined,
    ),
  ]);
  const known = {
    target,
    pullRequestRead: read,
    ...(base.ok ? { diffBase: base.value.diffBase } : {}),
    ...(ready.ok ? { preflight: ready.value } : {}),
  };
  const noticed = [...notices, ...(base.ok ? base.value.notices : [])];
  if (base.ok) {
    const { diffBase } = base.value;
    for (const sentence of base.value.notices) log.warning(sentence);
    log.info(describeBase(diffBase));
    const unscanned = outcomeWithoutScan(target, runAttempt, diffBase, byPaths);
    if (unscanned !== undefined) {
      const stillRunning = ready.ok
        ? await cancelForOlderHeads(
            deps,
            { target, diffBase, preflight: ready.value },
            environment,
            await earlierMarks,
          )
        : [];
      for (const sentence of stillRunning) log.warning(sentence);
      return { ...known, outcome: unscanned, notices: [...noticed, ...stillRunning] };
    }
    if (byPaths?.kind === 'scanned' && byPaths.why !== undefined) log.info(byPaths.why);
    const aboutPaths = byPaths?.kind === 'scanned' ? byPaths.notices : [];
    for (const sentence of aboutPaths) log.warning(sentence);
    noticed.push(...aboutPaths);
  }
  if (!ready.ok) {
    return { ...known, ...notScanned(ready.error, [...noticed, ...(base.ok ? [] : [base.error.cause])]) };
  }
  if (!base.ok) return { ...known, ...notScanned(base.error, noticed) };
  for (const sentence of ready.value.notices) log.warning(sentence);
  const noticedSoFar = [...noticed, ...ready.value.notices];
  if (!guidance.ok) return { ...known, ...notScanned(guidance.error, noticedSoFar) };
  const { source, notices: aboutGuidance = [] } = guidance.value ?? {};
  if (source !== undefined) log.info(describeGuidance(source));
  for (const sentence of aboutGuidance) log.warning(sentence);

  const { diffBase } = base.value;
  const launchable = { target, diffBase, preflight: ready.value };
  const plan = planLaunch(launchable, parameters, guidance.value);
  const { baseTree } = diffBase;
  const trees = headTree && baseTree ? { base: baseTree, head: headTree } : undefined;
  const keys = { key: exactKey(plan.keyFields), contentKey: trees && contentKey(plan.keyFields, trees) };
  const identity = createStepIdentity(environment, inputs, target.headSha, { ...plan.keyFields, ...keys });
  const change = {
    ...launchable,
    environment,
    plan,
    trees,
    identity,
    earlierMarks,
  };
  const scanned = await scanChange(deps, change);
  for (const sentence of scanned.notices) log.warning(sentence);
  return {
    ...known,
    identity,
    ...scanned,
    ...(source === undefined ? {} : { guidance: source }),
    notices: [...noticedSoFar, ...aboutGuidance, ...scanned.notices],
  };
}

/** Chosen: it can only save a scan, so no launch waits longer for it. */
const HEAD_TREE_MS = 10_000;

/** The tree of the head's files; undefined where it cannot be read. */
async function findHeadTree(
  { github, clock, signal }: ChangeDeps,
  { headSha }: ScanTarget,
  read: PullRequestRead | undefined,
): Promise<string | undefined> {
  if (read?.state.headSha === headSha && read.state.headTree !== undefined) return read.state.headTree;
  const limit = clock.timeout(HEAD_TREE_MS);
  const tree = await readCommitTree(github, headSha, AbortSignal.any([signal, limit.signal]));
  limit.clear();
  return tree.ok ? tree.value : undefined;
}

/** What is known of the change before it is scanned; undefined where it has to be. */
function outcomeWithoutScan(
  target: ScanTarget,
  runAttempt: number,
  diffBase: DiffBase,
  byPaths: PathsDecision | undefined,
): ScanOutcome | undefined {
  if (isUnchanged(diffBase)) {
    const merged = mergedSince(target, runAttempt);
    return merged === undefined ? { kind: 'unchanged' } : notScanned(merged).outcome;
  }
  return byPaths?.kind === 'unscanned' ? notScanned(byPaths.stop).outcome : undefined;
}

/** Only a base that was computed proves that nothing changed. */
function isUnchanged({ baseSha, headSha, how }: DiffBase): boolean {
  return how !== 'input' && baseSha === headSha;
}

function inputErrors(errors: readonly string[]): NotScanned {
  const [first = ''] = errors;
  const several = errors.length > 1;
  return {
    reason: 'configuration',
    cause: several ? `Scangate found ${errors.length} input errors.` : first,
    ...(several ? { problems: errors } : {}),
    nextStep: `Fix ${several ? 'them' : 'it'} under \`with:\` in the workflow and push.`,
  };
}

function describeGuidance({ path, commitSha, characters, hash }: GuidanceSource): string {
  return `Guidance: ${path} at ${commitSha}, ${characters} characters, SHA-256 ${hash.slice(0, SHOWN_HASH_DIGITS)}.`;
}

function describeBase({ baseSha, headSha, how }: DiffBase): string {
  if (how === 'none') return `Full scan of ${headSha}, without a base.`;
  const found = {
    input: 'set in the workflow',
    compare: 'merge base, from GitHub',
    git: 'merge base, from git',
  }[how];
  return `Change: ${baseSha}..${headSha} (base: ${found}).`;
}
