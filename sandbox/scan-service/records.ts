import * as v from 'valibot';

/*
 * The records of the service, in the form in which they are stored. Stored records are validated, because a person or a
 * different version of the fake service may have written them.
 */

export const ALL_SCOPES = ['read', 'findings:write', 'guidance:write', 'scans:launch', 'publish'] as const;

const Count = v.pipe(v.number(), v.safeInteger());
const Moment = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
);
const Lines = v.object({ start: Count, end: Count });

export const StoredVulnerability = v.object({
  rule: v.object({
    id: v.string(),
    cwe: v.string(),
    severity: v.picklist(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO']),
    title: v.string(),
    description: v.string(),
    recommendedFix: v.string(),
  }),
  path: v.string(),
  places: v.tupleWithRest([Lines], Lines),
  snippet: v.string(),
  proof: v.nullable(v.object({ kind: v.picklist(['POC', 'ANALYSIS']), text: v.string() })),
  shown: Lines,
  occurrence: Count,
});

/** A subsystem with a name. Its files are not listed here, because each scan searches for them. */
const Area = v.object({
  key: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  source: v.picklist(['discovered', 'custom']),
});

const MappedArea = v.object({ key: v.string(), files: Count, lines: Count });
/** The areas of a commit, in the order in which an audit takes them. */
const AreaMap = v.object({
  commit: v.string(),
  totalFiles: Count,
  totalLines: Count,
  areas: v.array(MappedArea),
});

export const StoredProject = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  organization: v.object({ id: v.string(), slug: v.string(), name: v.string() }),
});

export const StoredToken = v.object({
  keyId: v.string(),
  /** The secret text of the token, as clients send it. */
  token: v.string(),
  scopes: v.array(v.picklist(ALL_SCOPES)),
  /** The ids of the repositories that the token may use. Empty means every repository. */
  repositoryAllowlist: v.array(v.string()),
  expiresAt: v.nullable(Moment),
  spendLimit: v.nullable(v.number()),
  requestCeiling: v.object({ requests: v.number(), windowSeconds: v.number() }),
  window: v.object({ startedAt: v.number(), requests: Count }),
  revoked: v.boolean(),
});

export const StoredRepository = v.object({
  id: v.string(),
  slug: v.string(),
  owner: v.string(),
  name: v.string(),
  url: v.string(),
  defaultBranch: v.nullable(v.string()),
  gitDir: v.string(),
  status: v.picklist(['ACTIVE', 'MARKED_FOR_DELETION']),
  readiness: v.picklist(['ready', 'analyzing']),
  listingsUntilReady: v.nullable(Count),
  guidance: v.nullable(v.string()),
  /** Discovered and custom areas. The oldest comes first. */
  areas: v.array(Area),
  /** The newest map of each branch. Branches without a map are missing. */
  maps: v.array(v.tuple([v.string(), AreaMap])),
});

/** A version of the guidance of a repository. */
export const StoredRevision = v.object({
  id: v.string(),
  repositoryId: v.string(),
  content: v.nullable(v.string()),
  at: Moment,
});

/** How many files the scan has read. `filesRead` and `filesSkipped` add up to all files that it had to read. */
const ScanCoverage = v.object({
  /** How many files were searched for credentials. */
  filesRead: Count,
  /**
   * How many of the files in `filesRead` are JavaScript or TypeScript. The code rules understand only these languages.
   */
  codeFilesRead: v.optional(Count, 0),
  filesSkipped: Count,
});

const Preset = v.object({
  ref: v.string(),
  name: v.string(),
  kind: v.picklist(['diff', 'full']),
  minCredits: Count,
  description: v.exactOptional(v.nullable(v.string())),
  modelTier: v.exactOptional(v.string()),
});

export const StoredScan = v.object({
  id: v.string(),
  repositoryId: v.string(),
  preset: Preset,
  baseCommit: v.nullable(v.string()),
  commit: v.string(),
  creditBudget: Count,
  keyId: v.string(),
  createdAt: Moment,
  phases: v.array(v.object({ name: v.string(), share: Count })),
  /** The areas that limit the scan, as they were at the launch. Empty means the whole repository. */
  areas: v.array(Area),
  /** The guidance of the scan, and where it comes from. Both members are null if there is none. */
  guidance: v.object({
    applied: v.nullable(v.picklist(['scan', 'repository'])),
    content: v.nullable(v.string()),
  }),
  status: v.picklist(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  phasesFinished: Count,
  finishedAt: v.nullable(Moment),
  held: v.boolean(),
  ending: v.picklist(['COMPLETED', 'FAILED', 'CANCELLED']),
  /** The findings of a COMPLETED scan. Line numbers are those of the scan's commit. */
  found: v.array(v.object({ findingId: v.string(), vulnerability: StoredVulnerability })),
  coverage: v.nullable(ScanCoverage),
});

const Note = v.object({ id: v.string(), content: v.string(), createdAt: Moment });

/** A stored finding does not contain its vulnerability, which is in the last scan that found it. */
export const StoredFinding = v.object({
  id: v.string(),
  repositoryId: v.string(),
  firstSeenAt: Moment,
  lastScanId: v.string(),
  severityOverride: v.nullable(v.string()),
  triageStatus: v.string(),
  confirmationEvidence: v.nullable(v.string()),
  resolutionStatus: v.string(),
  /** The note that explains the resolution. */
  pinnedNoteId: v.nullable(v.string()),
  notes: v.array(Note),
});

export const StoredPublication = v.object({
  kind: v.picklist(['scan', 'finding']),
  /** The id of the published scan or finding. */
  subjectId: v.string(),
  artifactId: v.string(),
  publicId: v.string(),
  accessPassword: v.nullable(v.string()),
  /** The id of the note that was chosen for a finding's page. If it is null, the page shows the pinned note. */
  noteId: v.nullable(v.string()),
  /** The number of wrong passwords since the window began. `startedAt` is in milliseconds. */
  tries: v.object({ startedAt: v.number(), wrong: Count }),
});

export const StoredLedgerEntry = v.object({
  at: v.string(),
  kind: v.picklist(['purchase', 'reserve', 'settle', 'release']),
  scanId: v.nullable(v.string()),
  credits: v.number(),
});

export type ProjectRecord = v.InferOutput<typeof StoredProject>;
export type TokenRecord = v.InferOutput<typeof StoredToken>;
export type Scope = (typeof ALL_SCOPES)[number];
export type PresetOptions = v.InferOutput<typeof Preset>;
export type AuditArea = v.InferOutput<typeof Area>;
export type MappedArea = v.InferOutput<typeof MappedArea>;
export type AreaMap = v.InferOutput<typeof AreaMap>;
export type Coverage = v.InferOutput<typeof ScanCoverage>;
export type ScanGuidance = v.InferOutput<typeof StoredScan>['guidance'];
export type NoteRecord = v.InferOutput<typeof Note>;
export type Publication = v.InferOutput<typeof StoredPublication>;
export type LedgerEntry = v.InferOutput<typeof StoredLedgerEntry>;
