import * as v from 'valibot';
import { NAMES } from './client.ts';

// The service's records as its document lists them. A field that the document requires is required here. Unknown fields
// are accepted, because the service can add fields without a new version of its API.

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Time = v.pipe(v.string(), v.isoTimestamp());
const OptionalText = v.nullish(v.string());

export const TokenInformation = v.looseObject({
  [NAMES.token.project]: v.looseObject({ id: v.string(), slug: v.string() }),
  [NAMES.token.organization]: v.looseObject({ id: v.string(), slug: v.string() }),
  [NAMES.token.scopes]: v.array(v.string()),
  [NAMES.token.allowlist]: v.array(v.string()),
  [NAMES.token.expiry]: v.nullable(Time),
  [NAMES.token.spendLimit]: v.nullable(Count),
});

const Repository = v.looseObject({
  id: v.string(),
  slug: v.string(),
  owner: v.string(),
  name: v.string(),
  url: v.string(),
  defaultBranch: OptionalText,
  status: v.picklist(['ACTIVE', 'MARKED_FOR_DELETION']),
  readiness: v.string(),
});
export const Repositories = v.looseObject({ repositories: v.array(Repository) });

const Preset = v.looseObject({
  ref: v.string(),
  name: v.string(),
  description: OptionalText,
  minCredits: Count,
  modelTier: v.string(),
});
export const Presets = v.looseObject({ presets: v.array(Preset) });

export const Guidance = v.looseObject({
  repositoryId: v.string(),
  content: v.nullable(v.string()),
  updatedAt: v.nullable(Time),
});
export const GuidanceWritten = v.looseObject({
  repositoryId: v.string(),
  revisionId: v.nullable(v.string()),
  unchanged: v.boolean(),
});

const AuditArea = v.looseObject({
  key: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  source: v.picklist(['discovered', 'custom']),
  inLatestMap: v.boolean(),
  files: v.nullable(Count),
  lines: v.nullable(Count),
});
export const AreaCreated = v.looseObject({ area: AuditArea });
export const AuditAreas = v.looseObject({
  repositoryId: v.string(),
  branch: v.nullable(v.string()),
  mapped: v.boolean(),
  totalFiles: v.nullable(Count),
  totalLines: v.nullable(Count),
  areas: v.array(AuditArea),
});

export const Launched = v.looseObject({ [NAMES.launched.scan]: v.string() });
export const Cancelled = v.looseObject({
  scanId: v.string(),
  status: v.literal('CANCELLED'),
  cancelledJobs: Count,
});

const ScanItem = v.looseObject({ [NAMES.scan.id]: v.string(), status: v.string() });
const Progress = v.looseObject({
  phasesCompleted: Count,
  phasesTotal: Count,
  [NAMES.progress.weighted]: v.number(),
  [NAMES.progress.reserved]: Count,
});
export const ScanDetail = v.looseObject({
  scan: v.looseObject({
    ...ScanItem.entries,
    [NAMES.scan.diffBase]: v.nullable(v.string()),
    progress: Progress,
  }),
});

export const RESOLUTIONS = [
  'NOT_STARTED',
  'IN_PROGRESS',
  'RESOLVED',
  'WONT_FIX',
  'MITIGATED',
  'FALSE_POSITIVE',
  'DUPLICATE',
] as const;

const FindingItem = v.looseObject({
  [NAMES.finding.id]: v.string(),
  [NAMES.finding.path]: v.string(),
  severity: v.string(),
  triageStatus: v.string(),
  confirmationEvidence: v.nullable(v.picklist(['POC', 'ANALYSIS'])),
  resolutionStatus: v.picklist(RESOLUTIONS),
});
const Note = v.looseObject({ [NAMES.note.id]: v.string(), [NAMES.note.content]: v.string() });
export const NoteCreated = v.looseObject({ [NAMES.note.record]: Note });
export const FindingDetail = v.looseObject({
  finding: v.looseObject({
    ...FindingItem.entries,
    [NAMES.findingDetail.description]: OptionalText,
    [NAMES.findingDetail.proof]: OptionalText,
    [NAMES.findingDetail.fix]: OptionalText,
    [NAMES.findingDetail.notes]: v.array(Note),
  }),
});
export const NotePinned = v.looseObject({ findingId: v.string(), noteId: v.nullable(v.string()) });
export const Resolved = v.looseObject({ findingId: v.string(), resolutionStatus: v.picklist(RESOLUTIONS) });

const page = { page: Count, limit: Count, total: Count };
export const ScanPage = v.looseObject({ items: v.array(ScanItem), ...page });
export const FindingPage = v.looseObject({ items: v.array(FindingItem), ...page });

export const Artifact = v.looseObject({
  artifactId: v.string(),
  publicId: v.string(),
  accessPassword: v.nullable(v.string()),
});
