import type { KnownFinding } from '../domain/known-finding.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { chooseProject } from '../preflight/project.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { countTriaged } from './decide.ts';
import { NOTHING_TRIAGED, notCompleted, type Refusal, serviceFailed, stopped } from './refusal.ts';

/** The reads of the service: nothing here can change or launch a scan. */
export type ReadOnlyApi = Pick<ScanApi, 'token' | 'readScan' | 'findings'>;

/** What the service says of a scan that a mark names. */
export interface ServiceReader {
  /** Undefined: COMPLETED. */
  refuseScan(scanId: string): Promise<Refusal | undefined>;
  /** Undefined: triage has changed a reported finding since. */
  refuseFindings(scanId: string, reported: readonly KnownFinding[]): Promise<Refusal | undefined>;
}

/** Asks for the project of the token once, and only where a scan is read. */
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
    project ??= findProject();
    return project;
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
      const id = await projectId();
      if (!id.ok) return id.error;
      const list = await api.findings(id.value, scanId, { signal });
      if (!list.ok) return serviceFailed(list.error);
      return countTriaged(list.value, reported) > 0 ? undefined : NOTHING_TRIAGED;
    },
  };
}
