import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isRecord } from '../scan-api/lookup.ts';
import { isUsableId } from '../scan-api/opaque-id.ts';

/** Everything that decides what a scan looks at and what it costs: the same parts, the same scan. */
export interface ScanParts {
  readonly repositoryId: string;
  /** Undefined for a merge group. */
  readonly pullRequest: number | undefined;
  readonly headCommit: string;
  readonly baseCommit: string;
  readonly presetRef: string;
  /** Whole credits; undefined where the service applies its own floor. */
  readonly creditBudget: number | undefined;
  readonly auditAreas: readonly string[];
  readonly guidance: string | undefined;
  readonly launchParameters: Readonly<Record<string, unknown>>;
}

/** Which scan, and the key of its parts. */
export interface ScanMark {
  readonly scanId: string;
  readonly key: string;
}

const MARK = /^v1:([^:]+):([0-9a-f]{64}):([0-9a-f]{64})$/;

/** SHA-256, in hexadecimal, of the parts in a form in which neither member order nor the order of areas matters. */
export function reuseKey(parts: ScanParts): string {
  const canonical = canonicalJson({ ...parts, auditAreas: parts.auditAreas.toSorted() });
  return createHash('sha256').update(canonical).digest('hex');
}

/**
 * The same parts as they were for another head of the pull request. The launch parameters may spell the head out,
 * for a service that names the field of the scanned commit differently.
 */
export function partsForHead(parts: ScanParts, headCommit: string, baseCommit: string): ScanParts {
  const launchParameters: unknown = JSON.parse(
    JSON.stringify(parts.launchParameters).replaceAll(parts.headCommit, headCommit),
  );
  return {
    ...parts,
    headCommit,
    baseCommit,
    launchParameters: isRecord(launchParameters) ? launchParameters : {},
  };
}

/** `v1:<scanId>:<key>:<mac>`; the scan id is percent-encoded, so it may hold any character. */
export function markOf(scanId: string, key: string, apiToken: string): string {
  return `v1:${encodeURIComponent(scanId)}:${key}:${macOf(scanId, key, apiToken).toString('hex')}`;
}

/**
 * Reads a mark. Any workflow can write one, so only the mac proves that it is ours.
 * @returns undefined for what is no mark, or was not made with this token
 */
export function readMark(text: string, apiToken: string): ScanMark | undefined {
  const match = MARK.exec(text);
  if (match === null) return undefined;
  const [, encodedId = '', key = '', mac = ''] = match;
  const scanId = decoded(encodedId);
  if (!isUsableId(scanId)) return undefined;
  const proven = timingSafeEqual(Buffer.from(mac, 'hex'), macOf(scanId, key, apiToken));
  return proven ? { scanId, key } : undefined;
}

function macOf(scanId: string, key: string, apiToken: string): Buffer {
  return createHmac('sha256', apiToken)
    .update(JSON.stringify([scanId, key]))
    .digest();
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** JSON with the members of every object sorted by name; an undefined member is left out, as JSON does. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
