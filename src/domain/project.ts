/** An entry of a list of the service that is not as documented. */
export interface MalformedEntry<Entry> {
  /** One clause that names the member. It holds nothing of what was received. */
  readonly fault: string;
  /** What can be read of the entry, as far as a choice may depend on it. */
  readonly readable: { readonly [Member in keyof Entry]?: Entry[Member] | undefined };
}

/** An entry of a list. A malformed one leaves its neighbours as they are. */
export type ListEntry<Entry> = Entry | MalformedEntry<Entry>;

/** The well-formed entries, and the malformed ones. */
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
  /** `ready` means launchable; every other word means "not yet". */
  readonly readiness: string;
  /** Undefined where the service shows none. */
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

/** What `GET /token` says; members whose names the contract does not give may be undefined. */
export interface TokenInformation {
  readonly projectId: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** ISO 8601, as the service wrote it. */
  readonly expiresAt: string | undefined;
  /** Credits per billing period. */
  readonly spendLimit: number | undefined;
  /** Ids of the repositories that the token may see; empty: all of the project. */
  readonly allowlist?: readonly string[] | undefined;
}

/** A published artifact. */
export interface Publication {
  readonly publicId: string;
  /** The public page, built from `base-url` (an assumption of ours). */
  readonly url: string;
  /** The page asks for a password. */
  readonly gated: boolean;
  /** Masked before anything else sees it; null when none was generated, and when another run published the page. */
  readonly accessPassword: string | null;
}
