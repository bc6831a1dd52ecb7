import { isTerminal, type ListedScan, type Scan, type ScanList, sameCommit } from '../domain/scan.ts';
import { isCommitId } from '../domain/target.ts';
import { readCommentSituation } from '../github/comment-situation.ts';
import type { GitHubClient } from '../github/octokit.ts';
import type { Log } from '../log.ts';
import { cancelScan } from '../scan/cancel.ts';
import { partsForHead, reuseKey, type ScanParts } from '../scan/scan-mark.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { type EarlierMark, type MarkWorld, marksOfCheckRuns } from './earlier-marks.ts';

/** Ours: a pull request has one older head with a scan that runs, or none. */
const MOST_TRIED = 3;

export interface OlderHeadsWorld {
  readonly api: Pick<ScanApi, 'readScan' | 'cancel'>;
  readonly github: GitHubClient;
  readonly log: Pick<Log, 'info'>;
}

/**
 * Cancels what still runs for an older head of this pull request: nobody waits for it any more. It has to be proven
 * that the scan is this pull request's, since another one can share the commit; and that the head is really old, since
 * an old run can be repeated after a force-push went back.
 * @returns one sentence for each scan that may still run
 */
export async function cancelScansOfOlderHeads(
  { api, github, log }: OlderHeadsWorld,
  marks: readonly EarlierMark[],
  parts: ScanParts,
  projectId: string,
): Promise<readonly string[]> {
  const { pullRequest } = parts;
  if (pullRequest === undefined) return [];
  const older = new Map(
    marks.filter((mark) => mark.headSha !== parts.headCommit).map((mark) => [mark.scanId, mark]),
  );
  const notices: string[] = [];
  for (const mark of [...older.values()].slice(0, MOST_TRIED)) {
    const { scanId } = mark;
    const read = await api.readScan(projectId, scanId);
    if (!read.ok) {
      const gone = read.error.kind === 'refused' && read.error.status === 404;
      if (!gone) notices.push(mayRun(scanId, explainApiError(read.error).cause));
      continue;
    }
    if (isTerminal(read.value.status) || !isOf(mark, read.value, parts)) continue;
    const situation = await readCommentSituation(github, pullRequest);
    if (!situation.ok || situation.value.headSha === mark.headSha) continue;
    const cancellation = await cancelScan(api, projectId, scanId);
    if (cancellation.kind === 'failed') notices.push(mayRun(scanId, cancellation.cause));
    else if (cancellation.kind === 'cancelled')
      log.info(
        `Scan \`${scanId}\` of the older head \`${mark.headSha}\` was still running and was cancelled: its reservation is released, work already done is still charged.`,
      );
  }
  return notices;
}

/**
 * The marks of what runs for heads before the last one. A push tells of that alone; its run may never have begun, and
 * then nobody has looked for what the one before it left running. One request a commit that the list shows under way,
 * few at most, and none where there is nothing else under way.
 */
export async function findMarksOfRunning(
  world: Pick<MarkWorld, 'github' | 'inputs'>,
  list: ScanList | undefined,
  known: readonly EarlierMark[],
  parts: ScanParts,
): Promise<readonly EarlierMark[]> {
  if (parts.pullRequest === undefined || list === undefined) return [];
  const found: EarlierMark[] = [];
  for (const scan of runningElsewhere(list, known, parts).slice(0, MOST_TRIED)) {
    const marks = await marksOfCheckRuns(world, scan.commit);
    if (!marks.ok) return found;
    found.push(...marks.value.filter((mark) => mark.scanId === scan.id && isOf(mark, scan, parts)));
  }
  return found;
}

/** Those from our base first: the heads of one pull request mostly share it. */
function runningElsewhere(
  { scans }: ScanList,
  known: readonly EarlierMark[],
  { repositoryId, presetRef, baseCommit, headCommit }: ScanParts,
): readonly (ListedScan & { readonly commit: string })[] {
  const read = new Set([headCommit, ...known.map(({ headSha }) => headSha)]);
  const running = scans.flatMap((scan) => {
    const { commit, status } = scan;
    const isCandidate =
      status !== undefined &&
      !isTerminal(status) &&
      (scan.repositoryId ?? repositoryId) === repositoryId &&
      (scan.presetRef ?? presetRef) === presetRef;
    return isCandidate && commit !== undefined && isCommitId(commit) && !read.has(commit)
      ? [{ ...scan, commit }]
      : [];
  });
  const isFromOurBase = (scan: ListedScan) => sameCommit(scan.baseCommit, baseCommit) === true;
  return [...running.filter(isFromOurBase), ...running.filter((scan) => !isFromOurBase(scan))];
}

/** The key binds the mark to the pull request; the older merge base is the one that the scan shows, else ours. */
function isOf({ key, headSha }: EarlierMark, scan: Pick<Scan, 'baseCommit'>, parts: ScanParts): boolean {
  return [scan.baseCommit, parts.baseCommit].some(
    (base) => base !== undefined && reuseKey(partsForHead(parts, headSha, base)) === key,
  );
}

function mayRun(scanId: string, cause: string): string {
  return `Scan \`${scanId}\` of an older head of this pull request may still be running, for credits: look for it in the service. ${cause}`;
}
