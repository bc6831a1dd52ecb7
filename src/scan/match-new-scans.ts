import { splitState } from '../domain/comment-state.ts';
import {
  type ListedScan,
  matchCommit,
  matchScan,
  type PendingLaunch,
  type Scan,
  type ScanList,
} from '../domain/scan.ts';
import { listComments } from '../github/comment-list.ts';
import { type PostedComment, readState } from '../github/comment-marker.ts';
import type { SealedAccess } from '../github/octokit.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { hashOfText } from '../scan-api/wire-writes.ts';
import { marksOfCheckRuns } from './marks.ts';
import { readMark } from './scan-mark.ts';

/** Where other runs leave their marks. */
export interface ClaimPlaces {
  readonly headSha: string;
  /** Undefined if the event has no pull request. */
  readonly pullRequest?: number | undefined;
}

export interface ClaimDeps extends SealedAccess {
  /** Receives the pull request if it is read. */
  readonly onPullRequestRead?: ((state: PullRequestState) => void) | undefined;
}

/**
 * Reads the ids of the scans that proven marks of any check name. The marks are in the check runs of the head and in
 * the comments of the pull request. A scan with a mark belongs to another run, unless this run wrote the mark.
 * @param exceptKey leaves out marks with this key
 * @returns undefined if the marks cannot be read
 */
export async function claimedScans(
  deps: ClaimDeps,
  places: ClaimPlaces,
  exceptKey?: string,
): Promise<ReadonlySet<string> | undefined> {
  const { seal } = deps;
  const [ofCheckRuns, comments] = await Promise.all([
    marksOfCheckRuns(deps, places.headSha),
    commentsOf(deps, places),
  ]);
  if (!ofCheckRuns.ok || comments === undefined) return undefined;
  // Any user can write a comment, but only a holder of the token can make a mark.
  const ofComments = comments.flatMap(
    ({ body }) => readMark(splitState(readState(body)).mark ?? '', seal) ?? [],
  );
  const marks = [...ofCheckRuns.value, ...ofComments].filter(({ key }) => key !== exceptKey);
  return new Set(marks.map(({ scanId }) => scanId));
}

/** Returns undefined if the comments cannot be read. */
async function commentsOf(
  { github, signal, onPullRequestRead }: ClaimDeps,
  { pullRequest }: ClaimPlaces,
): Promise<readonly PostedComment[] | undefined> {
  if (pullRequest === undefined) return [];
  const state = await readPullRequestState(github, pullRequest, signal);
  if (state.ok) onPullRequestRead?.(state.value);
  if (state.ok && state.value.comments !== undefined) return state.value.comments;
  const listed = state.ok ? await listComments(github, pullRequest, signal) : state;
  return listed.ok ? listed.value : undefined;
}

/**
 * Reads the SHA-256 of the guidance that the service stores for the repository. Makes a request only if the launch sent
 * no guidance, and one of the scans shows guidance without its source.
 * @returns undefined if the guidance is not needed, does not exist or cannot be read
 */
export async function readStoredHash(
  api: Pick<ScanApi, 'guidance'>,
  { projectId, subject }: Pick<PendingLaunch, 'projectId' | 'subject'>,
  scans: Iterable<Scan>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const isGuided = [...scans].some(({ guidance }) => guidance?.from === 'unknown');
  if (subject === undefined || subject.guidance !== undefined || !isGuided) return undefined;
  const stored = await api.guidance(projectId, subject.repositoryId, { signal });
  return stored.ok && stored.value !== null ? hashOfText(stored.value) : undefined;
}

/**
 * Returns the scan. If its guidance is the stored text, the result says that the guidance comes from the repository,
 * not from a launch. Pure.
 */
export function withStoredGuidance(scan: Scan, storedHash: string | undefined): Scan {
  const isStored = scan.guidance?.from === 'unknown' && scan.guidance.hash === storedHash;
  return isStored ? { ...scan, guidance: { from: 'repository' } } : scan;
}

/** The result if it is not proven which scan comes from this launch. */
export interface NoMatch {
  readonly kind: 'no-match';
  /**
   * - `unreadable`: the list could not be read.
   * - `unknown-before`: the list before the launch is not known.
   * - `claimed`: a mark of another job names the scan.
   */
  readonly why:
    | 'none'
    | 'several'
    | 'cannot-tell'
    | 'unreadable'
    | 'unknown-before'
    | 'claimed'
    | 'marks-unreadable';
  /** The ids of the scans that the launch may have created. */
  readonly ids: readonly string[];
}

/**
 * The only new scan that can come from the launch, because its details match. If no mark of another job names it, the
 * run may use or cancel it.
 */
export interface Found {
  readonly kind: 'found';
  readonly scanId: string;
  /** The time that the scan shows. Undefined if it shows none. */
  readonly createdAt: string | undefined;
  /** False if the service does not show the scope of the scan. Its result then proves nothing. */
  readonly scopeShown: boolean;
}

/**
 * Returns the ids of the listed scans. Undefined if a scan has no readable id. After the launch, this scan would look
 * like a new scan.
 */
export function scanIdsOf({ scans }: ScanList): readonly string[] | undefined {
  const ids = scans.flatMap(({ id }) => id ?? []);
  return ids.length === scans.length ? ids : undefined;
}

/**
 * Returns the new scans that the launch may have created: they were not in the list before the launch, and no value
 * that the list shows differs from the launch.
 */
export function newCandidates(
  { scans }: ScanList,
  { knownScanIds, subject }: PendingLaunch,
): readonly ListedScan[] {
  const known = new Set<string | undefined>(knownScanIds);
  return scans.filter(
    (scan) => !known.has(scan.id) && !(subject !== undefined && matchScan(scan, subject) === 'different'),
  );
}

/**
 * Finds the one new scan of a launch. The proof needs the details of the scan, because the entries of the list may lack
 * values. Pure.
 * @param details the details of the candidates, as far as they could be read
 */
export function matchNewScans(
  list: ScanList,
  details: ReadonlyMap<string | undefined, Scan>,
  pending: PendingLaunch,
): NoMatch | Found {
  const noMatch = (why: NoMatch['why'], scans: readonly ListedScan[]): NoMatch => {
    return { kind: 'no-match', why, ids: scans.flatMap(({ id }) => id ?? []) };
  };
  const { knownScanIds, subject } = pending;
  const candidates = newCandidates(list, pending).filter(({ id }) => {
    const detail = details.get(id);
    return detail === undefined || subject === undefined || matchScan(detail, subject) !== 'different';
  });
  // If the list before the launch is not known, no scan is certainly new. A message then names the candidates.
  if (knownScanIds === undefined)
    return noMatch(
      'unknown-before',
      candidates.filter(
        ({ headSha }) => subject !== undefined && matchCommit(headSha, subject.headSha) === 'same',
      ),
    );
  const ids = new Set(candidates.map(({ id }) => id));
  const proven = [...details.values()].flatMap((scan) => {
    const match = ids.has(scan.id) && subject !== undefined ? matchScan(scan, subject) : undefined;
    return match === 'same' || match === 'scope-hidden'
      ? [{ scanId: scan.id, createdAt: scan.createdAt, scopeShown: match === 'same' }]
      : [];
  });
  // If the list is cut off and shows no known scan, there may be further new scans after its end.
  const known = new Set<string | undefined>(knownScanIds);
  const wholeView = list.complete || list.scans.some(({ id }) => known.has(id));
  if (candidates.length === 0) return noMatch(wholeView ? 'none' : 'cannot-tell', candidates);
  if (proven.length > 1) return noMatch('several', candidates);
  const [only] = proven;
  return only !== undefined && candidates.length === 1 && wholeView
    ? { kind: 'found', ...only }
    : noMatch('cannot-tell', candidates);
}
