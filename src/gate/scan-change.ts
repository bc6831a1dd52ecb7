import { ok } from '../domain/result.ts';
import type { CheckRun } from '../github/check-run.ts';
import {
  type Candidate,
  candidates,
  createFileComparison,
  describeUnproven,
  newerLaunch,
  tryCandidate,
  unprovenScans,
} from '../scan/earlier-scan.ts';
import { describeUnknown } from '../scan/lost-launch.ts';
import { type FoundMark, marksUnlisted, openCheckRunOf } from '../scan/marks.ts';
import type { ScanResult } from '../scan/result.ts';
import { isKeyOf } from '../scan/scan-mark.ts';
import { followOwn, followRequest, readCompleted } from './follow-own.ts';
import {
  type Change,
  createJob,
  type Gate,
  isMarked,
  type Job,
  notScanned,
  type RunResult,
  readUntried,
  untried,
} from './gate.ts';
import { launchChange, settleLost } from './launch-change.ts';
import { cancelForOlderHeads } from './older-scans.ts';

/**
 * Returns the result of one scan of the change.
 * - **A re-run** uses the scan that a mark of an earlier run names, and pays nothing. If there is none, or with
 *   `reuse-scan: false`, the run launches a scan, follows it to its end, and reads its findings.
 * - **Twins** are jobs that launch at the same time. The job whose check run is older keeps its scan. The other job
 *   cancels its own scan and uses the scan of the first job. With `reuse-scan: false`, each job keeps its scan.
 * - **If the answer to a launch is lost**, `launchChange` looks for the scan, cancels it, and launches once more. No run
 *   uses the lost scan. If it is not found or not cancelled, or if the second answer is lost too, the run
 *   ends with `launch-unknown`.
 * - **After a push during the scan**, the run of the new head cancels this scan as the scan of an older head, and this
 *   run ends with `scan-cancelled`. If the scan completes first and would pass, the last read before exit 0 shows the
 *   other head, and the run ends with `superseded`.
 * - **After an edit of the title or the body**, the run uses or follows the scan that a mark names. If that scan failed or
 *   was cancelled, the run fails without a launch. If no mark names a scan, the run launches one.
 */
export async function scanChange(gate: Gate, change: Change): Promise<RunResult> {
  // Scans of older heads are cancelled first, because the launch may need the credits that they reserve.
  await cancelForOlderHeads(gate, change, change.earlier.marks);
  const job = createJob(gate, change);
  const result = await scanUntilResult(job);
  const { target, diffBase, preflight, identity, guidance } = change;
  const creditsPullRequest = target.pullRequest && job.known.credits;
  const known = { target: gate.watch?.target ?? target, diffBase, preflight, identity, guidance };
  return { ...known, ...result, creditsPullRequest };
}

/**
 * The most accepted launches of one job. Our choice. The job keeps the scan of the last launch.
 *
 * If two jobs launch a scan of the same change, one of them cancels its scan and follows the other scan. If the
 * followed scan ends early, the job that follows it launches again. If there are three jobs, this can happen twice.
 */
const MOST_LAUNCHES = 3;

/**
 * Uses or launches the scan of the change. Each turn of the loop first tries existing scans. If none has a result, the
 * turn launches a scan. If another job has a scan to use instead, the next turn tries that scan.
 */
async function scanUntilResult(job: Job): Promise<ScanResult> {
  const { inputs } = job;
  let open = takeOpenCheckRun(job);
  let turn = firstCandidates(job);
  for (let launches = 0; ; ) {
    const earlier = await useEarlierScan(job, turn);
    if (earlier.used !== undefined) return { ...earlier.used, checkRun: open && ok(open) };
    const refused = launches === 0 ? refuseLaunch(job, earlier.ended) : undefined;
    if (refused !== undefined) return { ...refused, checkRun: open && ok(open) };
    if (launches === 0 && inputs.reuseScan) logUnproven(job);
    const launch = await launchChange(job);
    if (launch.kind === 'ended') return { ...launch.result, checkRun: open && ok(open) };
    if (launch.kind === 'running') {
      turn = candidates([launch.scan]);
      continue;
    }
    launches += 1;
    const mayYield = inputs.reuseScan && launches < MOST_LAUNCHES;
    const own = await followOwn(job, launch, { openCheckRun: open, mayYield });
    if (own.kind === 'ended') return own.result;
    if (own.kind === 'unknown') {
      const cause = describeUnknown(launch.scan.scanId);
      const { result } = await settleLost(job, launch.pending, own.found, cause);
      const checkRun = (await own.marked) ?? (open && ok(open));
      return { ...result, isMarkWrong: own.marked !== undefined, checkRun };
    }
    open = own.openCheckRun;
    // The order of the check runs decides only which job gives up its scan. An older check run may hold the mark of a
    // newer scan, so the marks decide which scan is used.
    turn = candidates([...(await readUntried(job)), own.elder]);
  }
}

/** Returns the scans that the marks at the start of the run name: of this change, or of the same files. */
function firstCandidates(job: Job): readonly Candidate[] {
  const { earlier } = job.change;
  return job.inputs.reuseScan ? candidates(untried(job, earlier.marks), ofSameFiles(job.change)) : [];
}

function ofSameFiles({ earlier, key, contentKey }: Change): readonly FoundMark[] {
  return earlier.marks.filter(
    (mark) => contentKey !== undefined && mark.contentKey === contentKey && mark.key !== key,
  );
}

/** Logs the scans of this commit that no mark proves. The run launches another scan instead. */
function logUnproven({ log, change, known }: Job): void {
  const { list, tried } = known;
  const named = new Set([...tried, ...ofSameFiles(change).map(({ scanId }) => scanId)]);
  const unproven = unprovenScans(list.ok ? list.value.scans : [], change.diffBase, (id) => named.has(id));
  if (unproven.length > 0) log.info(describeUnproven(unproven));
}

/**
 * Tries the candidates one by one, until one is used. Trying a scan takes time, so other jobs may have marked scans of
 * this change meanwhile. Those are tried before the scans of the same files.
 * @returns `ended`: the newest scan of this change that ended without a usable result
 */
async function useEarlierScan(
  job: Job,
  first: readonly Candidate[],
): Promise<{ readonly used?: ScanResult; readonly ended?: ScanResult | undefined }> {
  const { change, known } = job;
  const compareFiles = createFileComparison(job, change.trees);
  const request = { ...followRequest(job), compareFiles };
  for (const { scan } of first) known.tried.add(scan.scanId);
  let ended: ScanResult | undefined;
  let left = first;
  for (let [next] = left; next !== undefined; [next] = left) {
    known.isOutdated = true;
    const tried = await tryCandidate(job, next, request);
    if (tried.kind === 'left-running') return { used: tried.result };
    if (tried.kind === 'completed') {
      const { scan, completed } = tried;
      return { used: { ...scan, ...(await readCompleted(job, next.scan.scanId, completed)) } };
    }
    ended = newerLaunch(ended, tried.ended);
    left = left.slice(1);
    if (next.kind === 'same-files' || left.some(({ kind }) => kind === 'exact')) continue;
    const [newer] = await readUntried(job);
    if (newer === undefined) continue;
    known.tried.add(newer.scanId);
    left = [{ kind: 'exact', scan: newer }, ...left];
  }
  return { ended };
}

/** Explains why the run launches no scan. Returns undefined if it may launch one. */
function refuseLaunch({ environment, change }: Job, ended: ScanResult | undefined): ScanResult | undefined {
  const { target, earlier, unpaid } = change;
  // An edit of the title or the body needs no new scan. A user who re-runs the job may want one, so only the first
  // attempt skips the launch.
  const editedOnly = target.pullRequest?.brings === 'text' && environment.runAttempt === 1;
  if (editedOnly && ended !== undefined) return ended;
  const unlisted = !isMarked(change) || unpaid !== undefined ? earlier.unlisted : undefined;
  const failure = unlisted === undefined ? unpaid : marksUnlisted(unlisted);
  return failure && notScanned(failure);
}

/**
 * Takes over the check run that an earlier attempt of this step left in progress. Saves the id of the check run, so
 * that `post` can complete it.
 */
function takeOpenCheckRun({ inputs, state, environment, change }: Job): CheckRun | undefined {
  const { target, plan, earlier } = change;
  const left = openCheckRunOf(environment, earlier.marks, inputs.delivery.checkName, (mark) =>
    isKeyOf(mark, plan.keyFields),
  );
  if (left !== undefined) {
    state.saveCheckRun({ headSha: target.headSha, scanId: left.scanId, id: left.id });
  }
  return left;
}
