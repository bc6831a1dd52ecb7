import type { Finding } from '../domain/finding.ts';
import type { KnownFinding } from '../domain/known-finding.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { chooseProject } from '../preflight/project.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import {
  NOTHING_BLOCKED,
  notCompleted,
  type Refusal,
  serviceFailed,
  stillBlocked,
  stopped,
} from './refusal.ts';
import { stillBlocking } from './still-blocking.ts';

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
  let project: Promise<Result<string, Refusal>> | undefined;
  const findProject = async (): Promise<Result<string, Refusal>> => {
    const token = await api.token({ signal });
    if (!token.ok) return err(serviceFailed(token.error));
    const chosen = chooseProject(wantedProject, token.value);
    return chosen.ok ? ok(chosen.value) : err(stopped(chosen.error));
  };
  const projectId = () => {
    project ??= findProject().then((found) => {
      // After an outage, the next call asks again, because the service may be up by then.
      if (!found.ok && found.error.fault === 'outage') project = undefined;
      return found;
    });
    return project;
  };
  const findings = async (scanId: string): Promise<Result<ListedFindings, Refusal>> => {
    const id = await projectId();
    if (!id.ok) return id;
    const list = await api.findings(id.value, scanId, { signal });
    return list.ok ? ok({ projectId: id.value, findings: list.value }) : err(serviceFailed(list.error));
  };
  return {
    async refuseScan(scanId) {
      const id = await projectId();
      if (!id.ok) return id.error;
      const scan = await api.readScan(id.value, scanId, { signal });
      if (!scan.ok) return serviceFailed(scan.error);
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
