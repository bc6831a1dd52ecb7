import type { LocatedVulnerability } from './analyzer/vulnerability.ts';
import type { RecordName } from './options.ts';
import { weightedCompletion } from './phases.ts';
import type { AuditArea, MappedArea, NoteRecord, PresetOptions, TokenRecord } from './records.ts';
import { isTerminal } from './scan-status.ts';
import { severityOf } from './severity.ts';
import type { FindingRecord, RepositoryRecord, ScanRecord, ServiceState } from './state.ts';
import { labelOf } from './visibility.ts';

// These functions make the JSON of records. In the contract, `x-assumed` marks each name that the fake service chose.

type Shown = Record<string, unknown>;

/** Removes members that the options hide. */
function visible(state: ServiceState, record: RecordName, fields: Shown): Shown {
  const hidden = state.settings.hideFields[record] ?? [];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(name)));
}

export function showToken(state: ServiceState, token: TokenRecord): Shown {
  const { id, slug, name, organization } = state.project;
  return visible(state, 'token', {
    project: { id, slug, name },
    organization,
    scopes: token.scopes,
    repositoryAllowlist: token.repositoryAllowlist,
    expiresAt: token.expiresAt?.toISOString() ?? null,
    spendLimit: token.spendLimit,
  });
}

export function showRepository(state: ServiceState, repository: RepositoryRecord): Shown {
  const { id, slug, owner, name, url, defaultBranch, status, readiness } = repository;
  return visible(state, 'repository', { id, slug, owner, name, url, defaultBranch, status, readiness });
}

export function showGuidance({ id, guidance }: RepositoryRecord): Shown {
  const updatedAt = guidance.revisions.at(-1)?.at.toISOString() ?? null;
  return { repositoryId: id, content: guidance.content, updatedAt };
}

/** Shows an area. `mapped` is the entry for this area in the map of a branch. Without an entry, the sizes are null. */
export function showArea(area: AuditArea, mapped: MappedArea | undefined): Shown {
  const { key, name, description, source } = area;
  const { files = null, lines = null } = mapped ?? {};
  return { key, name, description, source, inLatestMap: mapped !== undefined, files, lines };
}

/** Lists the areas of the branch's map in the order of the map. All other areas of the repository follow. */
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

export function showPreset(state: ServiceState, preset: PresetOptions): Shown {
  const { ref, name, description = null, minCredits, modelTier = 'fake' } = preset;
  return visible(state, 'preset', { ref, name, description, minCredits, modelTier });
}

export function showLaunch(state: ServiceState, scan: ScanRecord): Shown {
  return visible(state, 'launch', { scanId: scan.id, status: scan.status });
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

export function showScanItem(state: ServiceState, scan: ScanRecord): Shown {
  return visible(state, 'scanItem', scanFields(scan));
}

export function showScanDetail(state: ServiceState, scan: ScanRecord): Shown {
  return visible(state, 'scanDetail', {
    ...scanFields(scan),
    creditBudget: scan.creditBudget,
    creditsSpent: isTerminal(scan.status) ? state.ledger.spentBy(scan.id) : null,
    auditAreaKeys: scan.areas.map((area) => area.key),
    guidanceApplied: scan.guidance.applied,
    progress: visible(state, 'progress', {
      phasesCompleted: scan.phasesFinished,
      phasesTotal: scan.phases.length,
      weightedCompletion: weightedCompletion(scan.phases, scan.phasesFinished),
      reservedCredits: scan.creditBudget,
    }),
    coverage: scan.coverage,
    analyzer: 'A fake scanning service with a small analyzer: a few code rules and a search for credentials.',
  });
}

function findingFields(finding: FindingRecord, scanId: string, vulnerability: LocatedVulnerability): Shown {
  return {
    id: finding.id,
    label: labelOf(finding.id),
    scanId,
    repositoryId: finding.repository.id,
    title: vulnerability.rule.title,
    cwe: vulnerability.rule.cwe,
    severity: severityOf(finding, vulnerability),
    aiSeverity: vulnerability.rule.severity,
    triageStatus: finding.triageStatus,
    confirmationEvidence: finding.confirmationEvidence,
    resolutionStatus: finding.resolutionStatus,
    filePath: vulnerability.path,
    startLine: vulnerability.shown.start,
    endLine: vulnerability.shown.end,
    createdAt: finding.firstSeenAt.toISOString(),
  };
}

/** Shows a finding as one scan saw it. The lines are those of the scan's commit. */
export function showFindingItem(
  state: ServiceState,
  finding: FindingRecord,
  scanId: string,
  vulnerability: LocatedVulnerability,
): Shown {
  return visible(state, 'findingItem', findingFields(finding, scanId, vulnerability));
}

/** Shows a finding as it was in the last scan that found it. */
export function showFindingDetail(state: ServiceState, finding: FindingRecord): Shown {
  const { vulnerability } = finding;
  const analysis = vulnerability.proof?.kind === 'ANALYSIS' ? ` ${vulnerability.proof.text}` : '';
  return visible(state, 'findingDetail', {
    ...findingFields(finding, finding.lastScanId, vulnerability),
    description: `${vulnerability.rule.description}${analysis}`,
    proofOfConcept: vulnerability.proof?.kind === 'POC' ? vulnerability.proof.text : null,
    recommendedFix: vulnerability.rule.recommendedFix,
    notes: finding.notes.map((note) => showNote(finding, note)),
  });
}

export function showNote(finding: FindingRecord, { id, content, createdAt }: NoteRecord): Shown {
  return { noteId: id, content, createdAt: createdAt.toISOString(), pinned: id === finding.pinnedNoteId };
}
