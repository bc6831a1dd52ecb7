import { beginLastRead } from '../change/pull-request.ts';
import { findStarted } from '../deliver/check-run.ts';
import { type NotScanned, ok, type Result } from '../domain/result.ts';
import type { LaunchedScan, PendingLaunch } from '../domain/scan.ts';
import { disclosureOf, scanKindOf } from '../domain/target.ts';
import { type CheckRun, createCheckRun, isRefusal, markCheckRun } from '../github/check-run.ts';
import type { GitHubError } from '../github/errors.ts';
import { abandonScan } from '../scan/cancel.ts';
import { isOfLaunch, notOfLaunch } from '../scan/lost-launch.ts';
import { type Found, isNew, type NoMatch } from '../scan/new-scans.ts';
import { readResult, type ScanResult } from '../scan/result.ts';
import { type DatedScan, launchTime } from '../scan/scan-mark.ts';
import { type RankedMark, yieldToTwin } from '../scan/twins.ts';
import { awaitScan, type CompletedScan, followScan } from '../scan/wait.ts';
import type { PolledScan } from '../scan-api/client.ts';
import { type Job, notScanned, readMarks, searchLost } from './gate.ts';

/** Our choice: for this time after the launch, a 404 means that the service does not show the scan yet. */
const UNKNOWN_MS = 60_000;

export interface AcceptedLaunch {
  readonly scan: LaunchedScan;
  readonly pending: PendingLaunch;
}

export interface FollowOptions {
  /** A check run in progress, if there is one. This step or an earlier attempt of it created the check run. */
  readonly openCheckRun: CheckRun | undefined;
  /** True if the run may use the scan of another job instead of its own scan. */
  readonly mayYield: boolean;
}

export type FollowedOwn =
  | { readonly kind: 'ended'; readonly result: ScanResult }
  /** The service does not know the scan. `found` is what the scan list shows about the launch. */
  | {
      readonly kind: 'unknown';
      readonly found: Found | NoMatch;
      /** The check run with the mark of the scan. Undefined if the run has written no mark. */
      readonly marked: MarkedLaunch['checkRun'] | undefined;
    }
  /** This run gave up its own scan and uses `elder`, the scan of another job. */
  | {
      readonly kind: 'yielded';
      readonly elder: RankedMark;
      readonly openCheckRun: CheckRun | undefined;
    };

/**
 * Follows the scan that this run launched, once it is proven to come from the launch. Marks it in a check run, and reads
 * its findings when it has completed. Cancels it if the run must end first, or if the run uses the scan of another job.
 */
export async function followOwn(
  job: Job,
  { scan: launched, pending }: AcceptedLaunch,
  options: FollowOptions,
): Promise<FollowedOwn> {
  const { clock, deadlines, signal, state, change, known } = job;
  const { creditBudget } = change.plan;
  const { projectId, before } = pending;
  const { scanId, acceptedAt } = launched;
  let marked: MarkedLaunch | undefined;
  const named = (createdAt: string | undefined): DatedScan => ({
    scanId,
    launchedAt: launchTime({ acceptedAt, createdAt }, clock.date()),
  });
  const begin = (scan: DatedScan): MarkedLaunch => ({
    ...scan,
    checkRun: beginCheckRun(job, scan, options.openCheckRun),
  });
  const end = async (result: ScanResult): Promise<FollowedOwn> => {
    const open = options.openCheckRun && ok(options.openCheckRun);
    return { kind: 'ended', result: { ...result, checkRun: (await marked?.checkRun) ?? open } };
  };
  const creditsBefore = known.credits;
  const disown = () => {
    state.clearScan();
    known.credits = creditsBefore;
    return end({ ...notScanned(notOfLaunch(scanId, pending)), isMarkWrong: marked !== undefined });
  };

  const isProven = before !== undefined && isNew(before, scanId, undefined);
  if (isProven === false) return disown();
  known.tried.add(scanId);
  known.credits += creditBudget ?? 0;
  // Where only the record of the scan can show that the scan is new, and when it was launched, the mark waits for it.
  if (isProven && acceptedAt !== undefined) marked = begin(named(undefined));
  let shown = await awaitScan(job, { projectId, scanId }, UNKNOWN_MS);
  if (!shown.ok && shown.error.why === 'not-found') {
    const found = await searchLost(job, pending, scanId);
    if (found.kind !== 'found' || found.scanId !== scanId) {
      known.credits = creditsBefore;
      return { kind: 'unknown', found, marked: marked?.checkRun };
    }
    shown = await awaitScan(job, { projectId, scanId }, UNKNOWN_MS);
  }
  const until = signal.aborted ? deadlines.cancelling : signal;
  const createdAt = shown.ok ? shown.value.scan.createdAt : undefined;
  const isOurs = await isOfLaunch({ ...job, signal: until }, pending, { scanId, createdAt });
  if (isOurs.ok && !isOurs.value) return disown();
  const leave = async (failure: NotScanned) => {
    // Without a proof, `post` looks at the scan again before it cancels it.
    const left = isOurs.ok
      ? {
          ...named(createdAt),
          ...(await abandonScan({ ...job, signal: deadlines.cancelling }, projectId, scanId)),
        }
      : { scanId, mayStillBeRunning: true };
    return end({ ...notScanned(failure), creditsReserved: creditBudget, ...left });
  };
  if (!shown.ok) return leave(shown.error.failure);
  if (!isOurs.ok) return leave(isOurs.error);
  state.saveScan({ projectId, scanId });
  if (creditBudget === undefined) known.credits += shown.value.scan.progress.reservedCredits ?? 0;
  marked ??= begin(named(createdAt));
  return followProven(job, marked, shown.value, options);
}

/** A scan whose mark is being written to a check run. The run does not wait for GitHub. */
interface MarkedLaunch extends DatedScan {
  readonly checkRun: Promise<Result<CheckRun, GitHubError>>;
}

/** @param shown the scan as the service showed it first */
async function followProven(
  job: Job,
  { scanId, launchedAt, checkRun }: MarkedLaunch,
  shown: PolledScan,
  { openCheckRun, mayYield }: FollowOptions,
): Promise<FollowedOwn> {
  const { deadlines, signal, log, state, change } = job;
  const { plan, preflight, key } = change;
  const { projectId } = preflight;
  const [yielding, ended] = [new AbortController(), new AbortController()];
  const request = { ...followRequest(job), scanId };
  const polled = AbortSignal.any([signal, yielding.signal]);
  const own = followScan({ ...job, signal: polled }, request, shown);

  let ranked = false;
  const looking = AbortSignal.any([signal, ended.signal]);
  const twin = checkRun.then((started) => {
    if (!started.ok || !mayYield || looking.aborted) return undefined;
    ranked = true;
    const readRanked = async () => {
      const marks = await readMarks(job, looking);
      return marks.ok
        ? marks.value.flatMap(({ checkRun, ...mark }) => (checkRun ? [{ ...mark, rank: checkRun.id }] : []))
        : undefined;
    };
    return yieldToTwin(
      { ...job, signal: looking },
      { projectId, scanId, launchedAt, key, rank: started.value.id, expected: request.expected },
      deadlines.cancelling,
      readRanked,
    );
  });
  const ownEnd = own.then(async ({ scan }) => {
    ended.abort();
    // This run may have cancelled its scan, in order to use the scan of another job. The cancel request may have worked,
    // even if its answer was lost.
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
    const started = await findStartedCheckRun(job, { scanId, launchedAt }, checkRun);
    return { kind: 'yielded', elder, openCheckRun: started ?? openCheckRun };
  }

  const followed = await own;
  const { scan } = followed;
  const facts = {
    scanId,
    launchedAt,
    scanStatus: scan?.status,
    creditsReserved: scan?.progress.reservedCredits ?? plan.creditBudget,
  };
  const result = async (): Promise<ScanResult> => {
    switch (followed.kind) {
      case 'completed':
        return { ...facts, ...(await readCompleted(job, scanId, followed)) };
      case 'ended':
        return { ...facts, ...notScanned(followed.failure) };
      case 'left-running':
        return {
          ...facts,
          ...notScanned(followed.failure),
          ...(await abandonScan({ ...job, signal: deadlines.cancelling }, projectId, scanId)),
        };
    }
  };
  return { kind: 'ended', result: { ...(await result()), checkRun: await checkRun } };
}

/** Reads the findings of a completed scan. */
export function readCompleted(job: Job, scanId: string, completed: CompletedScan): Promise<ScanResult> {
  const { inputs, watch, change } = job;
  // The comment needs the last read of the pull request, so this read starts as soon as the scan has completed. If the
  // run writes no comment, only exit 0 needs the read. It then starts after the verdict is known.
  if (inputs.delivery.comment !== 'never' && watch !== undefined) beginLastRead(watch);
  const named = { projectId: change.preflight.projectId, scanId };
  return readResult(job, named, completed, inputs.policy, disclosureOf(change.target));
}

/**
 * Creates the request to follow a scan of this change. `expected` is the change that the scan must cover. If a field of
 * the launch is wrong, the service could scan a different change.
 */
export function followRequest({ spent, change }: Job) {
  return {
    projectId: change.preflight.projectId,
    expected: change.diffBase,
    onEnd: (ms: number) => {
      spent.scanMs += ms;
    },
  };
}

/**
 * Creates a check run in progress for the scan, with its mark. If a check run is in progress already, writes the mark
 * into it, and creates a new one only if GitHub refuses that.
 */
async function beginCheckRun(
  { github, deadlines, state, log, change, known }: Job,
  scan: DatedScan,
  open: CheckRun | undefined,
): Promise<Result<CheckRun, GitHubError>> {
  const { target, identity } = change;
  const { headSha, pullRequest } = target;
  const { scanId } = scan;
  const named = identity.checkRun({ ...scan, creditsPullRequest: pullRequest && known.credits });
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
  state.saveCheckRun({ headSha, scanId, ...(open && { id: open.id }) });
  const marked = open && (await markCheckRun(github.until(signal), open.id, named));
  // If the mark cannot be written, this step still completes the open check run later.
  const kept = marked && !marked.ok && !isRefusal(marked.error) && open ? ok(open) : marked;
  const started = kept?.ok ? kept : await createCheckRun(github.until(signal), named, output);
  if (!started.ok) return started;
  state.saveCheckRun({ headSha, scanId, id: started.value.id });
  return ok(started.value);
}

/**
 * Finds the check run that this step started for the scan. If the answer to its creation was lost, looks for it, so
 * that it does not stay in progress. Returns undefined if it is not found.
 */
async function findStartedCheckRun(
  { github, signal, change: { identity } }: Job,
  scan: DatedScan,
  begun: Promise<Result<CheckRun, GitHubError>>,
): Promise<CheckRun | undefined> {
  const isStarted = (externalId: string) => identity.isStarted(externalId, scan);
  const started = await begun;
  // If the run is stopped, it stops to look, because it needs the rest of its time for the report.
  const found = await findStarted({ github, signal }, identity.checkRun(scan), started, isStarted);
  return found.ok ? found.value : undefined;
}
