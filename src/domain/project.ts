/** An entry of a service's list that does not match the contract. */
export interface MalformedEntry<Entry> {
  /** A clause that names the wrong member. Contains nothing that was received. */
  readonly fault: string;
  /** The members that can be read and that a choice may depend on. */
  readonly readable: { readonly [Member in keyof Entry]?: Entry[Member] | undefined };
}

/** An entry of a list. A malformed entry does not invalidate the others. */
export type ListEntry<Entry> = Entry | MalformedEntry<Entry>;

/** Separates the well-formed entries from the malformed ones. */
export function splitEntries<Entry extends object>(entries: readonly ListEntry<Entry>[]) {
  const sound: Entry[] = [];
  const malformed: MalformedEntry<Entry>[] = [];
  for (const entry of entries) {
    if ('fault' in entry) malformed.push(entry);
    else sound.push(entry);
  }
  return { sound, malformed };
}

/** A repository of the project, as the service lists it. */
export interface ProjectRepository {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  /** `ACTIVE`, `MARKED_FOR_DELETION`, or a word we do not know. */
  readonly status: string;
  /** `ready`: a scan can be launched. Every other word means "not yet". */
  readonly readiness: string;
  /** Undefined if the service does not show it. */
  readonly defaultBranch?: string | undefined;
}

/** A kind of scan that can be launched. */
export interface Preset {
  readonly ref: string;
  readonly name: string;
  /** Whole credits; 0 means that the service applies its own floor. */
  readonly minCredits: number;
  readonly modelTier?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * The answer to `GET /token`. A member is undefined if the contract does not give its name and the answer does not show
 * it.
 */
export interface TokenInformation {
  readonly projectId: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** ISO 8601, as the service wrote it. */
  readonly expiresAt: string | undefined;
  /** Credits per billing period. */
  readonly spendLimit: number | undefined;
  /** Ids of the repositories that the token may access; empty: all repositories of the project. */
  readonly allowlist?: readonly string[] | undefined;
}

/** A scan's published artifact. */
export interface Publication {
  readonly publicId: string;
  /** The public page, built from `base-url`, which is our assumption. */
  readonly url: string;
  /** The page requires a password. */
  readonly gated: boolean;
  /** Masked in the log before it is used. Null if the service generated none, and if another run published the page. */
  readonly accessPassword: string | null;
}
