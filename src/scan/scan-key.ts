import { createHash } from 'node:crypto';
import type { ChosenScan } from '../domain/scan-subject.ts';
import { isRecord } from '../scan-api/lookup.ts';

/** Everything that determines what a scan covers and what it costs. */
export interface ScanKeyFields extends ChosenScan {
  /** Undefined if the event has no pull request. */
  readonly pullRequest: number | undefined;
  /** The input, including audit areas and guidance. */
  readonly launchParameters: Readonly<Record<string, unknown>>;
  /**
   * SHA-256 of the text of `guidance-file`. Undefined without that input; then the key is the same as before the input
   * existed.
   */
  readonly guidance?: string | undefined;
}

/**
 * Of SHA-256: 128 bits are enough against accidental collisions, and the HMAC of the mark keeps others from choosing a
 * key.
 */
const KEY_BYTES = 16;

/** The key of exactly this scan: 22 characters of base64url. The order of members does not matter. */
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
 * The key of a scan of these files, for any commits and any pull request. The trees replace the commits, also in the
 * launch parameters.
 * @param fields of a scan with a base
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

/** True if the mark's key has these fields, with any base. */
export function isKeyOf(
  { key, baseSha }: { readonly key: string; readonly baseSha: string | undefined },
  fields: Omit<ScanKeyFields, 'baseSha'>,
): boolean {
  return key === exactKey({ ...fields, baseSha });
}

/** JSON with the members of every object sorted by name. Leaves out undefined members, as JSON does. */
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
