/** A list entry that does not match the service's contract. */
export interface MalformedEntry<Entry> {
  /** A clause that names the invalid member. It contains no text from the service. */
  readonly fault: string;
  /** The valid members by which a run chooses an entry. */
  readonly readable: { readonly [Member in keyof Entry]?: Entry[Member] | undefined };
}

/** An entry of a list. One malformed entry does not make the list unusable. */
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
  /** `ACTIVE`, `MARKED_FOR_DELETION`, or a word that Scangate does not know. */
  readonly status: string;
  /** `ready` means that a scan can be launched. Every other word means "not yet". */
  readonly readiness: string;
}

/** A kind of scan that can be launched. */
export interface Preset {
  readonly ref: string;
  readonly name: string;
  /** In whole credits. 0 means that the service applies its own minimum. */
  readonly minCredits: number;
  readonly modelTier?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * The answer to `GET /token`. The contract does not name every member. A member is undefined if the answer does not
 * show it.
 */
export interface TokenInformation {
  readonly projectId: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** ISO 8601, as the service wrote it. */
  readonly expiresAt: string | undefined;
  /** Credits per billing period. */
  readonly spendLimit: number | undefined;
  /** The ids of the repositories that the token may access. An empty list means all repositories of the project. */
  readonly allowlist?: readonly string[] | undefined;
}

/** The published page of a scan. */
export interface Publication {
  readonly publicId: string;
  /** The address of the public page. We assume that it is below `base-url`. */
  readonly url: string;
  /** True if the page asks for a password. */
  readonly gated: boolean;
  /**
   * Null if the service generated no password, or if another run published the page. The log masks the password before
   * any output uses it.
   */
  readonly accessPassword: string | null;
}
