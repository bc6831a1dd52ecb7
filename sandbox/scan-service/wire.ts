import type { PlacedFlaw } from './analyzer/analyze.ts';
import type { PresetOptions, RecordName } from './options.ts';
import { weightedCompletion } from './phases.ts';
import { labelOf } from './reach.ts';
import { isTerminal } from './scan-status.ts';
import { severityOf } from './severity.ts';
import type {
  AuditArea,
  FindingRecord,
  MappedArea,
  NoteRecord,
  RepositoryRecord,
  ScanRecord,
  TokenRecord,
  World,
} from './world.ts';

// The records as they are sent. Which of their names are this stand-in's choice, the contract says: x-assumed.

type Shown = Record<string, unknown>;

/** Leaves out what the options hide of this record. */
function visible(world: World, record: RecordName, fields: Shown): Shown {
  const hidden = world.settings.hideFields[record] ?? [];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(name)));
}

export function showToken(world: World, token: TokenRecord): Shown {
  const { id, slug, name, organization } = world.project;
  return visible(world, 'token', {
    project: { id, slug, name },
    organization,
    scopes: token.scopes,
    repositoryAllowlist: token.repositoryAllowlist,
    expiresAt: token.expiresAt?.toISOString() ?? null,
    spendLimit: token.spendLimit,
  });
}

export function showRepository(world: World, repository: RepositoryRecord): Shown {
  const { id, slug, owner, name, url, defaultBranch, status, readiness } = repository;
  return visible(world, 'repository', { id, slug, owner, name, url, defaultBranch, status, readiness });
}

export function showGuidance({ id, guidance }: RepositoryRecord): Shown {
  const updatedAt = guidance.revisions.at(-1)?.at.toISOString() ?? null;
  return { repositoryId: id, content: guidance.content, updatedAt };
}

/** The sizes are those of a branch's map, where that names the area. */
export function showArea(area: AuditArea, mapped: MappedArea | undefined): Shown {
  const { key, name, description, source } = area;
  const { files = null, lines = null } = mapped ?? {};
  return { key, name, description, source, inLatestMap: mapped !== undefined, files, lines };
}

/** The map's own order first, then the areas that it does not name. */
export function showAreaList(repository: RepositoryRecord, branch: string | null): Shown {
  const map = branch === null ? undefined : repository.maps.get(branch);
  const named = (map?.areas ?? []).flatMap((mapped) =>
    repository.areas.filter((area) => area.key === mapped.key).map((area) => ({ area, mapped })),
  );
  const rest = repository.areas.filter((area) => !named.some((one) => one.area === area));
  return {
    repositoryId: repository.id,
    branch,
    mapped: map !== undefined,
    totalFiles: map?.totalFiles ?? null,
    totalLines: map?.totalLines ?? null,
    areas: [
      ...named.map(({ area, mapped }) => showArea(area, mapped)),
      ...rest.map((area) => showArea(area, undefined)),
    ],
  };
}

export function showPreset(world: World, preset: PresetOptions): Shown {
  const { ref, name, description = null, minCredits, modelTier = 'stand-in' } = preset;
  return visible(world, 'preset', { ref, name, description, minCredits, modelTier });
}

export function showLaunch(world: World, scan: ScanRecord): Shown {
  return visible(world, 'launch', { scanId: scan.id, status: scan.status });
}

function scanFields(scan: ScanRecord): Shown {
  return {
    id: scan.id,
    status: scan.status,
    repositoryId: scan.repository.id,
    presetRef: scan.preset.ref,
    baseCommit: scan.baseCommit,
    commit: scan.commit,
    createdAt: scan.createdAt.toISOString(),
    finishedAt: scan.finishedAt?.toISOString() ?? null,
  };
}

export function showScanItem(world: World, scan: ScanRecord): Shown {
  return visible(world, 'scanItem', scanFields(scan));
}

export function showScanDetail(world: World, scan: ScanRecord): Shown {
  return visible(world, 'scanDetail', {
    ...scanFields(scan),
    creditBudget: scan.creditBudget,
    creditsSpent: isTerminal(scan.status) ? world.ledger.spentBy(scan.id) : null,
    auditAreaKeys: scan.areas.map((area) => area.key),
    guidanceApplied: scan.guidance.applied,
    progress: visible(world, 'progress', {
      phasesCompleted: scan.phasesFinished,
      phasesTotal: scan.phases.length,
      weightedCompletion: weightedCompletion(scan.phases, scan.phasesFinished),
      reservedCredits: scan.creditBudget,
    }),
    coverage: scan.coverage,
    analyzer: 'A stand-in with a small analyzer: a few code rules and a search for credentials.',
  });
}

function findingFields(finding: FindingRecord, scanId: string, flaw: PlacedFlaw): Shown {
  return {
    id: finding.id,
    label: labelOf(finding.id),
    scanId,
    repositoryId: finding.repository.id,
    title: flaw.rule.title,
    cwe: flaw.rule.cwe,
    severity: severityOf(finding, flaw),
    aiSeverity: flaw.rule.severity,
    triageStatus: finding.triageStatus,
    confirmationEvidence: finding.confirmationEvidence,
    resolutionStatus: finding.resolutionStatus,
    filePath: flaw.path,
    startLine: flaw.shown.start,
    endLine: flaw.shown.end,
    createdAt: finding.firstSeenAt.toISOString(),
  };
}

/** The finding as that scan saw it: its lines are those of the scan's commit. */
export function showFindingItem(
  world: World,
  finding: FindingRecord,
  scanId: string,
  flaw: PlacedFlaw,
): Shown {
  return visible(world, 'findingItem', findingFields(finding, scanId, flaw));
}

/** The finding as the newest scan saw it. */
export function showFindingDetail(world: World, finding: FindingRecord): Shown {
  const { flaw } = finding;
  const analysis = flaw.proof?.kind === 'ANALYSIS' ? ` ${flaw.proof.text}` : '';
  return visible(world, 'findingDetail', {
    ...findingFields(finding, finding.lastScanId, flaw),
    description: `${flaw.rule.description}${analysis}`,
    proofOfConcept: flaw.proof?.kind === 'POC' ? flaw.proof.text : null,
    recommendedFix: flaw.rule.recommendedFix,
    notes: finding.notes.map((note) => showNote(finding, note)),
  });
}

export function showNote(finding: FindingRecord, { id, content, createdAt }: NoteRecord): Shown {
  return { noteId: id, content, createdAt: createdAt.toISOString(), pinned: id === finding.pinnedNoteId };
}
