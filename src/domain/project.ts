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
}

/** A kind of scan that can be launched. */
export interface Preset {
  readonly ref: string;
  readonly name: string;
  /** Whole credits; 0 means that the service applies its own floor. */
  readonly minCredits: number;
}

/** What `GET /token` says; members whose names the contract does not give may be undefined. */
export interface TokenInformation {
  readonly projectId: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** ISO 8601, as the service wrote it. */
  readonly expiresAt: string | undefined;
  /** Credits per billing period. */
  readonly spendLimit: number | undefined;
}

/** A published artifact. */
export interface Publication {
  readonly publicId: string;
  /** The public page, built from `base-url` (an assumption of ours). */
  readonly url: string;
  /** Masked before anything else sees it; null when none was asked for. */
  readonly accessPassword: string | null;
}
