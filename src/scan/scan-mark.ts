import { createHash } from 'node:crypto';
import type { ChosenScan } from '../domain/scan.ts';
import type { Seal } from '../domain/seal.ts';
import { type CommitRange, isCommitId } from '../domain/target.ts';
import { isRecord, isUsableId } from '../scan-api/lookup.ts';

/** The values that determine what a scan covers and what it costs. */
export interface ScanKeyFields extends ChosenScan {
  /** Undefined if the event has no pull request. */
  readonly pullRequest: number | undefined;
  /** The input `launch-parameters`, including audit areas and guidance. */
  readonly launchParameters: Readonly<Record<string, unknown>>;
  /**
   * SHA-256 of the text of `guidance-file`. Undefined if this input is empty. An undefined member does not change the
   * key. So keys from versions of Scangate without this input stay valid.
   */
  readonly guidance?: string | undefined;
}

/**
 * 128 bits of SHA-256 are enough against accidental collisions. Attackers cannot choose a key, because a mark has an
 * HMAC.
 */
const KEY_BYTES = 16;

/**
 * Computes the exact key of a scan: 22 characters of base64url. Two keys are equal only if all these fields are equal.
 * The order of the members does not matter.
 */
export function exactKey(fields: ScanKeyFields): string {
  return keyOf(fields);
}

function keyOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(value))
    .digest()
    .subarray(0, KEY_BYTES)
    .toString('base64url');
}

/** The trees of the base commit and the head commit. */
export interface ScanTrees {
  readonly base: string;
  readonly head: string;
}

/**
 * Computes the key by which a run finds scans of the same files. It does not depend on the commits or the pull request.
 * The trees replace the commits, even in the launch parameters.
 * @param fields the fields of a scan that has a base
 */
export function contentKey(fields: ScanKeyFields, trees: ScanTrees): string {
  const { pullRequest: _, headSha, baseSha, launchParameters, ...others } = fields;
  const names = new Map<string | undefined, unknown>([
    [headSha, { tree: trees.head }],
    [baseSha, { tree: trees.base }],
  ]);
  return keyOf({
    ...others,
    trees,
    launchParameters: replaceTexts(launchParameters, (text) => names.get(text.toLowerCase())),
  });
}

function replaceTexts(value: unknown, replacementOf: (text: string) => unknown): unknown {
  if (typeof value === 'string') return replacementOf(value) ?? value;
  if (Array.isArray(value)) return value.map((member) => replaceTexts(member, replacementOf));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaceTexts(member, replacementOf)]),
  );
}

/** True if the key of the mark is made from these fields and the mark's own base. */
export function isKeyOf(
  { key, baseSha }: { readonly key: string; readonly baseSha: string | undefined },
  fields: Omit<ScanKeyFields, 'baseSha'>,
): boolean {
  return key === exactKey({ ...fields, baseSha });
}

/** Writes JSON with sorted members. Leaves out undefined members. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(
          Object.keys(member)
            .toSorted()
            .map((name) => [name, member[name]]),
        )
      : member,
  );
}

/** A scan and the time of its launch. */
export interface DatedScan {
  readonly scanId: string;
  /** In whole seconds since the epoch, at most ten digits. If the service shows a time, its clock counts. */
  readonly launchedAt: number;
}

/**
 * A signed text on GitHub that names a scan. It shows that a run with the same API token launched the scan, or proved
 * that the scan is its own.
 */
export interface ScanMark extends CommitRange, DatedScan {
  /** Undefined if the event is not about a pull request. */
  readonly pullRequest: number | undefined;
  /** The result of `exactKey`. */
  readonly key: string;
  /**
   * The result of `contentKey`. Undefined in these cases: the trees of base and head are not known, the workflow sets
   * the base, or the scan is a full scan.
   */
  readonly contentKey?: string | undefined;
  /**
   * What the pull request had cost when the mark was written, in whole credits. Other jobs may have launched more.
   * Undefined if the event has no pull request.
   */
  readonly credits?: number | undefined;
  /** True if the run had `reuse-scan: false`. A re-run of its job launches another scan. */
  readonly reusesNone?: boolean | undefined;
  /** The workflow run that wrote the mark. */
  readonly runId: number;
  readonly runAttempt: number;
}

/** Our choice, because GitHub documents no limit for the `external_id` of a check run. */
export const LONGEST_EXTERNAL_ID = 255;

/** The largest number of credits that a mark can hold. It has nine digits. */
const MOST_CREDITS = 999_999_999;

/** Stands for an undefined value, for example for the base of a full scan. */
const NONE = '-';
/** Says that the run had `reuse-scan: false`. */
const REUSES_NONE = 'n';
const COMMIT = '([\\w-]{27}|[\\w-]{43})';
/** Earlier marks end it in `+`, and have a second number. */
const CREDITS = `((?:0|[1-9]\\d{0,8})|${NONE})\\+?:[\\d+-]{1,10}`;
const MARK = new RegExp(
  [
    '^v2:([^:]+)',
    `([1-9]\\d{0,9}|${NONE})`,
    COMMIT,
    `(?:${COMMIT}|${NONE})`,
    '([\\w-]{22})',
    `([\\w-]{22}|${NONE})`,
    '(0|[1-9]\\d{0,9})',
    CREDITS,
    `(${REUSES_NONE}|${NONE})`,
    '(\\d{1,15})\\.(\\d{1,9})',
    '([\\w-]{43})$',
  ].join(':'),
);

/**
 * Encodes a mark as
 * `v2:<scanId>:<pr>:<head>:<base>:<key>:<contentKey>:<launchedAt>:<credits>:-:<reuse>:<run>.<attempt>:<mac>`. The scan
 * id is percent-encoded. Commits, keys and the MAC are base64url. The MAC is an HMAC-SHA-256 of everything before it,
 * with the API token as the key.
 */
export function encodeMark(mark: ScanMark, seal: Seal): string {
  const text = [
    'v2',
    encodeURIComponent(mark.scanId),
    mark.pullRequest ?? NONE,
    compact(mark.headSha),
    mark.baseSha === undefined ? NONE : compact(mark.baseSha),
    mark.key,
    mark.contentKey ?? NONE,
    mark.launchedAt,
    mark.credits === undefined ? NONE : Math.min(mark.credits, MOST_CREDITS),
    NONE,
    mark.reusesNone ? REUSES_NONE : NONE,
    `${mark.runId}.${mark.runAttempt}`,
  ].join(':');
  return `${text}:${seal.macOf(text)}`;
}

/** Decodes a `v2` mark. @returns undefined if the text is not such a mark, or if the mark was made with another seal */
export function readMark(text: string, seal: Seal): ScanMark | undefined {
  const match = MARK.exec(text);
  if (match === null) return undefined;
  const [, encodedId, pullRequest, head, base, key, contentKey, launchedAt, credits, reuse, ...rest] = match;
  const [runId, runAttempt, mac] = rest;
  const scanId = decoded(String(encodedId));
  const [headSha, baseSha] = [expand(String(head)), base && expand(base)];
  if (!isUsableId(scanId) || !isCommitId(headSha) || !isCommitId(baseSha ?? headSha)) return undefined;
  if (!seal.isMacOf(String(mac), text.slice(0, text.lastIndexOf(':')))) return undefined;
  return {
    scanId,
    pullRequest: pullRequest === NONE ? undefined : Number(pullRequest),
    headSha,
    baseSha,
    key: String(key),
    contentKey: contentKey === NONE ? undefined : contentKey,
    launchedAt: Number(launchedAt),
    credits: credits === NONE ? undefined : Number(credits),
    reusesNone: reuse === REUSES_NONE ? true : undefined,
    runId: Number(runId),
    runAttempt: Number(runAttempt),
  };
}

/**
 * Our choice: how far ahead of the runner's clock a time may be. Marks are ordered by the time of the launch, so a scan
 * from the future would count as the newest for ever.
 */
const MOST_AHEAD_SECONDS = 300;

/**
 * Returns when a scan was launched, in whole seconds since the epoch. Prefers the clock of the service, because all runs
 * share it: the date of the launch answer, otherwise the time that the scan shows. If neither is known, or the time is
 * more than `MOST_AHEAD_SECONDS` in the future, uses the clock of this job. Pure.
 */
export function launchTime(
  {
    acceptedAt,
    createdAt,
  }: { readonly acceptedAt: Date | undefined; readonly createdAt: string | undefined },
  now: Date,
): number {
  const ours = Math.floor(now.getTime() / 1_000);
  const [shown = ours] = [acceptedAt?.getTime(), Date.parse(String(createdAt))]
    .map((ms) => Math.floor(Number(ms) / 1_000))
    .filter((seconds) => seconds >= 0);
  return shown > ours + MOST_AHEAD_SECONDS ? ours : shown;
}

/**
 * Sorts marks by the time of the launch, then by run and attempt, the newest first. Uses only signed values, because a
 * workflow that may write check runs can copy a mark to any place in a list. Pure.
 */
export function inLaunchOrder<Mark extends ScanMark>(marks: readonly Mark[]): readonly Mark[] {
  return marks.toSorted(
    (a, b) =>
      b.launchedAt - a.launchedAt ||
      b.runId - a.runId ||
      b.runAttempt - a.runAttempt ||
      // For two jobs of one run, any order is right if it is always the same.
      Buffer.compare(Buffer.from(a.scanId), Buffer.from(b.scanId)),
  );
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
    // `id` stays undefined, because the text is not valid percent-encoding.
  }
  return id;
}
