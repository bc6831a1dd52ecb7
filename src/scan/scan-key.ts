import { createHash } from 'node:crypto';
import type { ChosenScan } from '../domain/scan-subject.ts';
import { isRecord } from '../scan-api/lookup.ts';

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
