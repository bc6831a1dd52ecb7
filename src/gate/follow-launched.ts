import { findStarted } from '../deliver/check-run.ts';
import { ok, type Result } from '../domain/result.ts';
import type { Scan } from '../domain/scan.ts';
import { type CommitRange, disclosureOf, type ScanTarget, scanKindOf } from '../domain/target.ts';
import { type CheckRun, createCheckRun, isRefusal, markCheckRun } from '../github/check-run.ts';
import type { GitHubError } from '../github/errors.ts';
import { elapsedOf, progressOf } from '../report/log-lines.ts';
import type { Log } from '../runner/log.ts';
import { abandonScan } from '../scan/cancel.ts';
import type { MarksOfChange } from '../scan/candidates.ts';
import { marksOfCheckRuns } from '../scan/marks.ts';
import type { CostLedger } from '../scan/pull-request-cost.ts';
import { readResult, type ScanResult } from '../scan/result.ts';
import { type DatedScan, exactKey } from '../scan/scan-mark.ts';
import { type RankedMark, yieldToTwin } from '../scan/twins.ts';
import { followScan } from '../scan/wait.ts';
import type { ChangeDeps } from './launch-change.ts';
import type { Change } from './plan.ts';
import type { ScanToMark } from './step-identity.ts';

export interface FollowOptions {
  /** A check run in progress, if there is one. This step or an earlier attempt of it created the check run. */
  readonly openCheckRun: Promise<CheckRun | undefined>;
  /** Receives all marks of the head each time they are read. */
  readonly onMarks: MarksOfChange['saw'];
  /** True if the run may use the scan of a different job instead of its own scan. */
  readonly mayYield: boolean;
}

export type FollowedLaunch =
  | { readonly kind: 'ended'; readonly result: ScanResult }
  /** The launch answer named a scan that the service does not know. */
  | { readonly kind: 'unknown'; readonly checkRun: Promise<Result<CheckRun, GitHubError>> }
  /** This run cancelled its own scan and uses `elder`, the scan of a different job. */
  | {
      readonly kind: 'yielded';
      readonly elder: RankedMark;
      readonly checkRun: Promise<Result<CheckRun, GitHubError>>;
    };

export interface CountingDeps extends ChangeDeps {
  readonly ledger: CostLedger;
}

/**
 * Follows this run's own scan until the scan ends, and reads its findings. Cancels the scan if the run must end first,
 * or if the run uses the scan of a different job.
 */
export async function followLaunched(
  deps: CountingDeps,
  change: Change,
  { scanId, launchedAt }: DatedScan,
  { openCheckRun, onMarks, mayYield }: FollowOptions,
): Promise<FollowedLaunch> {
  const { api, clock, random, deadlines, signal, log, warn, inputs, state, onScanCompleted } = deps;
  const { diffBase, preflight, target, plan } = change;
  const { projectId } = preflight;
  const cost = deps.ledger.launched(scanId, plan.creditBudget);
  // The run does not wait for GitHub here. If GitHub is slow, the run still polls the scan and can cancel it.
  const checkRun = beginCheckRun(deps, change, { scanId, launchedAt, cost }, openCheckRun);
  const [yielding, ended] = [new AbortController(), new AbortController()];
  const request = { ...followRequest(projectId, diffBase, deps), scanId };
  const polled = AbortSignal.any([signal, yielding.signal]);
  const own = followScan({ api, clock, random, signal: polled }, request);

  let ranked = false;
  const looking = AbortSignal.any([signal, ended.signal]);
  const twin = checkRun.then((started) => {
    if (!started.ok || !mayYield || looking.aborted) return undefined;
    ranked = true;
    const key = exactKey(plan.keyFields);
    const readMarks = () => readRankedMarks(deps, target, looking, onMarks);
    return yieldToTwin(
      { api, clock, signal: looking, cancelSignal: deadlines.cancelling, readMarks },
      { projectId, scanId, launchedAt, key, rank: started.value.id, expected: request.expected },
    );
  });
  const ownEnd = own.then(async ({ scan }) => {
    ended.abort();
    // This run may have cancelled its scan, in order to use the scan of a different job. The cancel request may have
    // worked, even if its answer was lost.
    const yielded = ranked ? await twin : undefined;
    const isOver = scan?.status === 'CANCELLED' || scan?.status === 'FAILED';
    return yielded?.own === 'ended' || isOver ? yielded : undefined;
  });
  const yielded = await Promise.race([
    twin.then((found) => (found?.own === 'ended' ? found : ownEnd)),
    ownEnd,
  ]);
  if (yielded !== undefined) {
    const { elder } = yielded;
    yielding.abort();
    state.clearScan();
    log.info(`Another job launched scan \`${elder.scanId}\` first. Using it instead of scan \`${scanId}\`.`);
    return { kind: 'yielded', elder, checkRun };
  }

  const followed = await own;
  const { scan } = followed;
  if (followed.kind === 'left-running' && followed.why === 'not-found' && scan === undefined)
    return { kind: 'unknown', checkRun };
  const facts = {
    scanId,
    launchedAt,
    scanStatus: scan?.status,
    creditsReserved: scan?.progress.reservedCredits ?? plan.creditBudget,
  };
  const result = async (): Promise<ScanResult> => {
    switch (followed.kind) {
      case 'completed': {
        const disclosure = disclosureOf(target);
        const resultDeps = { api, policy: inputs.policy, disclosure, clock, signal, warn, onScanCompleted };
        const read = await readResult(resultDeps, request, followed);
        return { ...facts, ...read };
      }
      case 'ended':
        return { ...facts, outcome: { kind: 'not-scanned', failure: followed.failure } };
      case 'left-running':
        return {
          ...facts,
          outcome: { kind: 'not-scanned', failure: followed.failure },
          ...(await abandonScan(deps, projectId, scanId, deadlines.cancelling)),
        };
    }
  };
  return { kind: 'ended', result: { ...(await result()), checkRun: await checkRun } };
}

/**
 * Creates the request to follow a scan. `expected` is the change that the scan must cover. If a field of the launch is
 * wrong, the service could scan a different change.
 */
export function followRequest(
  projectId: string,
  expected: CommitRange,
  { log, stopwatch }: Pick<ChangeDeps, 'log' | 'stopwatch'>,
) {
  return {
    projectId,
    expected,
    onProgress: progressPrinter(log),
    onEnd: stopwatch.followedScan,
  };
}

/**
 * Creates a check run in progress for the scan. If a check run is in progress already, writes the mark of the scan into
 * it, and creates a new one only if GitHub refuses that.
 */
async function beginCheckRun(
  { github, deadlines, state, log }: ChangeDeps,
  { target, identity }: Change,
  scan: DatedScan & ScanToMark,
  opened: Promise<CheckRun | undefined>,
): Promise<Result<CheckRun, GitHubError>> {
  const { headSha, pullRequest } = target;
  const { scanId } = scan;
  const named = identity.checkRun(scan);
  const shown = disclosureOf(target) === 'labels' ? 'The result appears' : 'The findings appear';
  const output = {
    title: scanKindOf(target) === 'full' ? 'Scanning all files of this commit' : 'Scanning this change',
    summary: `The scan is running. ${shown} here when it completes.`,
    text: '',
  };
  // A run that was stopped still reports to the check run, so this signal outlasts the scan.
  const signal = deadlines.wrapUp;
  if (named.externalId === identity.checkRun({}).externalId) {
    const rest = pullRequest ? 'Only a comment can hold the mark.' : 'Later runs cannot reuse this scan.';
    log.info(`The scan id is too long for a mark in the check run. ${rest}`);
  }
  const open = await opened;
  state.saveCheckRun({ headSha, scanId, ...(open && { id: open.id }) });
  const marked = open && (await markCheckRun(github, open.id, named, signal));
  // If the mark cannot be written, this step still completes the open check run later.
  const kept = marked && !marked.ok && !isRefusal(marked.error) && open ? ok(open) : marked;
  const started = kept?.ok ? kept : await createCheckRun(github, named, output, signal);
  if (!started.ok) return started;
  state.saveCheckRun({ headSha, scanId, id: started.value.id });
  return ok(started.value);
}

/**
 * Finds the check run that this step started for the scan. If the answer to its creation was lost, looks for it, so
 * that it does not stay in progress. Returns undefined if it is not found.
 */
export async function findStartedCheckRun(
  { github, signal }: CountingDeps,
  { identity }: Change,
  scan: DatedScan,
  begun: Promise<Result<CheckRun, GitHubError>>,
): Promise<CheckRun | undefined> {
  const isStarted = (externalId: string) => identity.isStarted(externalId, scan);
  const started = await begun;
  // If the run is stopped, it stops to look, because it needs the rest of its time for the report.
  const found = await findStarted(
    { github, signal },
    { identity: identity.checkRun(scan), started, isStarted },
  );
  return found.ok ? found.value : undefined;
}

/** Reads the current marks in the check runs of the head. Returns undefined if they cannot be read. */
async function readRankedMarks(
  { github, seal }: CountingDeps,
  { headSha }: ScanTarget,
  signal: AbortSignal,
  onMarks: FollowOptions['onMarks'],
): Promise<readonly RankedMark[] | undefined> {
  const marks = await marksOfCheckRuns({ github, seal, signal }, headSha);
  if (!marks.ok) return undefined;
  onMarks(marks.value);
  return marks.value.flatMap(({ scanId, launchedAt, key, checkRun }) =>
    checkRun !== undefined ? [{ scanId, launchedAt, key, rank: checkRun.id }] : [],
  );
}

/** Returns a function that prints a line if the progress of the scan has changed. */
function progressPrinter(log: Pick<Log, 'info'>): (scan: Scan, elapsedMs: number) => void {
  let last = '';
  return (scan, elapsedMs) => {
    const line = progressOf(scan);
    if (line !== last) log.info(`Scan ${line}, after ${elapsedOf(elapsedMs)}.`);
    last = line;
  };
}
