import * as v from 'valibot';
import { ALL_SCOPES } from '../options.ts';

/*
 * The schemas of stored records. Records are validated, because a person or a different version of the fake service may
 * have written them.
 */

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

const Area = v.object({
  key: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  source: v.picklist(['discovered', 'custom']),
});

export const StoredProject = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  organization: v.object({ id: v.string(), slug: v.string(), name: v.string() }),
  archived: v.boolean(),
  organizationArchived: v.boolean(),
});

export const StoredToken = v.object({
  keyId: v.string(),
  token: v.string(),
  scopes: v.array(v.picklist(ALL_SCOPES)),
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
  areas: v.array(Area),
  maps: v.array(
    v.tuple([
      v.string(),
      v.object({
        commit: v.string(),
        totalFiles: Count,
        totalLines: Count,
        areas: v.array(v.object({ key: v.string(), files: Count, lines: Count })),
      }),
    ]),
  ),
});

export const StoredRevision = v.object({
  id: v.string(),
  repositoryId: v.string(),
  content: v.nullable(v.string()),
  at: Moment,
});

export const StoredScan = v.object({
  id: v.string(),
  repositoryId: v.string(),
  preset: v.object({
    ref: v.string(),
    name: v.string(),
    kind: v.picklist(['diff', 'full']),
    minCredits: Count,
    description: v.nullable(v.string()),
    modelTier: v.exactOptional(v.string()),
  }),
  baseCommit: v.nullable(v.string()),
  commit: v.string(),
  creditBudget: Count,
  keyId: v.string(),
  createdAt: Moment,
  phases: v.array(v.object({ name: v.string(), share: Count })),
  areas: v.array(Area),
  guidance: v.object({
    applied: v.nullable(v.picklist(['scan', 'repository'])),
    content: v.nullable(v.string()),
  }),
  status: v.picklist(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  phasesFinished: Count,
  finishedAt: v.nullable(Moment),
  held: v.boolean(),
  ending: v.picklist(['COMPLETED', 'FAILED', 'CANCELLED']),
  found: v.array(v.object({ findingId: v.string(), vulnerability: StoredVulnerability })),
  coverage: v.nullable(
    v.object({ filesRead: Count, codeFilesRead: v.optional(Count, 0), filesSkipped: Count }),
  ),
});

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
  pinnedNoteId: v.nullable(v.string()),
  notes: v.array(v.object({ id: v.string(), content: v.string(), createdAt: Moment })),
});

export const StoredPublication = v.object({
  kind: v.picklist(['scan', 'finding']),
  subjectId: v.string(),
  artifactId: v.string(),
  publicId: v.string(),
  accessPassword: v.nullable(v.string()),
  noteId: v.nullable(v.string()),
  tries: v.object({ startedAt: v.number(), wrong: Count }),
});

export const StoredLedgerEntry = v.object({
  at: v.string(),
  kind: v.picklist(['purchase', 'reserve', 'settle', 'release']),
  scanId: v.nullable(v.string()),
  credits: v.number(),
});
