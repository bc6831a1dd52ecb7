import { type Finding, isOpen, severityRank } from '../domain/finding.ts';
import { type KnownFinding, traitsOf } from '../domain/history.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { chooseProject } from '../preflight/preflight.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { NOTHING_BLOCKED, notCompleted, type Refusal, stillBlocked, stopped } from './refusal.ts';

/**
 * Returns the findings that blocked, are still open, and are at least as severe as before. A finding that triage made
 * less severe may no longer block: this code does not know the gate's threshold. Pure.
 * @param findings of the scan, as they are now
 * @param known the findings as the gate reported them
 */
export function stillBlocking(
  findings: readonly Finding[],
  known: readonly KnownFinding[],
): readonly KnownFinding[] {
  const rest = findings.map((finding) => ({ finding, traits: traitsOf(finding) }));
  return known.filter(({ blocks, id, fingerprint, level }) => {
    if (!blocks) return false;
    const index = rest.findIndex(({ traits }) =>
      id === undefined ? traits.fingerprint === fingerprint : traits.id === id,
    );
    // Each current finding is used only once. Findings without ids look the same if they have the same title and file.
    const [found] = index < 0 ? [] : rest.splice(index, 1);
    return (
      found !== undefined && isOpen(found.finding) && severityRank(found.traits.level) <= severityRank(level)
    );
  });
}

/**
 * The requests to the service that the triage action sends with `api-token`. They cannot change or launch anything.
 */
export type ReadOnlyApi = Pick<ScanApi, 'token' | 'readScan' | 'findings'>;

export interface ListedFindings {
  readonly projectId: string;
  readonly findings: readonly Finding[];
}

/** Reads the scan that a mark names. */
export interface ServiceReader {
  /** Returns a refusal if the scan is not COMPLETED. */
  refuseScan(scanId: string): Promise<Refusal | undefined>;
  /** Returns undefined only if reported findings blocked, and none of them blocks any more. Otherwise a refusal. */
  refuseFindings(scanId: string, reported: readonly KnownFinding[]): Promise<Refusal | undefined>;
  /** Reads the current findings of the scan. Also returns the project that has them. */
  findings(scanId: string): Promise<Result<ListedFindings, Refusal>>;
}

/** Creates the reader. Before it reads the first scan, the reader asks the service for the token's project. */
export function createServiceReader(
  api: ReadOnlyApi,
  wantedProject: string | undefined,
  signal: AbortSignal,
): ServiceReader {
  let project: string | undefined;
  const projectId = async (): Promise<Result<string, Refusal>> => {
    if (project !== undefined) return ok(project);
    const token = await api.token({ signal });
    if (!token.ok) return err(stopped(explainApiError(token.error)));
    const chosen = chooseProject(wantedProject, token.value);
    if (!chosen.ok) return err(stopped(chosen.error));
    project = chosen.value;
    return chosen;
  };
  const findings = async (scanId: string): Promise<Result<ListedFindings, Refusal>> => {
    const id = await projectId();
    if (!id.ok) return id;
    const list = await api.findings(id.value, scanId, { signal });
    return list.ok
      ? ok({ projectId: id.value, findings: list.value })
      : err(stopped(explainApiError(list.error)));
  };
  return {
    async refuseScan(scanId) {
      const id = await projectId();
      if (!id.ok) return id.error;
      const scan = await api.readScan(id.value, scanId, { signal });
      if (!scan.ok) return stopped(explainApiError(scan.error));
      return scan.value.status === 'COMPLETED' ? undefined : notCompleted(scan.value.status);
    },
    async refuseFindings(scanId, reported) {
      if (!reported.some(({ blocks }) => blocks)) return NOTHING_BLOCKED;
      const list = await findings(scanId);
      return list.ok ? refuseReported(list.value.findings, reported) : list.error;
    },
    findings,
  };
}

/** Returns a refusal if no reported finding blocked, or if a finding that blocked still blocks. Pure. */
export function refuseReported(
  findings: readonly Finding[],
  reported: readonly KnownFinding[],
): Refusal | undefined {
  const blocked = reported.filter(({ blocks }) => blocks).length;
  if (blocked === 0) return NOTHING_BLOCKED;
  const open = stillBlocking(findings, reported).length;
  return open === 0 ? undefined : stillBlocked(open, blocked);
}
