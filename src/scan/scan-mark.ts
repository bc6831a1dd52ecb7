import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CommitRange, isCommitId } from '../domain/target.ts';
import { isUsableId } from '../scan-api/opaque-id.ts';

/** Names a scan on GitHub, and proves that a run with the same API token launched it or proved it to be its own. */
export interface ScanMark extends CommitRange {
  readonly scanId: string;
  /** Undefined where the event is not about a pull request. */
  readonly pullRequest: number | undefined;
  /** See `exactKey`. */
  readonly key: string;
  /** See `contentKey`; undefined where the trees, or their relation to the base, are not known. */
  readonly contentKey?: string | undefined;
  /** The run that wrote the mark. */
  readonly runId: number;
  readonly runAttempt: number;
}

/** Chosen, because GitHub documents no limit for `external_id` of a check run. */
export const LONGEST_EXTERNAL_ID = 255;

/** Stands for the pull request of another event, the base of a full scan, and a content key that is not known. */
const NONE = '-';
const COMMIT = '([\\w-]{27}|[\\w-]{43})';
const MARK = new RegExp(
  `^v2:([^:]+):([1-9]\\d{0,9}|${NONE}):${COMMIT}:(?:${COMMIT}|${NONE}):([\\w-]{22}):([\\w-]{22}|${NONE}):(\\d{1,15})\\.(\\d{1,9}):([\\w-]{43})$`,
);

/**
 * `v2:<scanId>:<pr>:<head>:<base>:<key>:<contentKey>:<run>.<attempt>:<mac>`. The scan id is percent-encoded; commits,
 * keys and the MAC are base64url. The MAC is HMAC-SHA-256 with the API token over everything before it.
 */
export function encodeMark(mark: ScanMark, apiToken: string): string {
  const { scanId, pullRequest = NONE, headSha, baseSha, key, contentKey = NONE, runId, runAttempt } = mark;
  const text = [
    'v2',
    encodeURIComponent(scanId),
    pullRequest,
    compact(headSha),
    baseSha === undefined ? NONE : compact(baseSha),
    key,
    contentKey,
    `${runId}.${runAttempt}`,
  ].join(':');
  return `${text}:${macOf(text, apiToken)}`;
}

/** Reads a `v2` mark. @returns undefined for anything else, and for a mark that was not made with this token */
export function readMark(text: string, apiToken: string): ScanMark | undefined {
  const match = MARK.exec(text);
  if (match === null || apiToken === '') return undefined;
  const [, encodedId, pullRequest, head, base, key, contentKey, runId, runAttempt, mac] = match;
  const scanId = decoded(String(encodedId));
  const [headSha, baseSha] = [expand(String(head)), base && expand(base)];
  if (!isUsableId(scanId) || !isCommitId(headSha) || !isCommitId(baseSha ?? headSha)) return undefined;
  if (!isEqual(String(mac), macOf(text.slice(0, text.lastIndexOf(':')), apiToken))) return undefined;
  return {
    scanId,
    pullRequest: pullRequest === NONE ? undefined : Number(pullRequest),
    headSha,
    baseSha,
    key: String(key),
    contentKey: contentKey === NONE ? undefined : contentKey,
    runId: Number(runId),
    runAttempt: Number(runAttempt),
  };
}

function macOf(text: string, apiToken: string): string {
  return createHmac('sha256', apiToken).update(text).digest('base64url');
}

/** The patterns give both the same length, without which `timingSafeEqual` throws. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

function compact(commitId: string): string {
  return Buffer.from(commitId, 'hex').toString('base64url');
}

function expand(text: string): string {
  return Buffer.from(text, 'base64url').toString('hex');
}

function decoded(text: string): string | undefined {
  let id: string | undefined;
  try {
    id = decodeURIComponent(text);
  } catch {
    // It is no encoding.
  }
  return id;
}
