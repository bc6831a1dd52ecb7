import type { Finding } from '../domain/finding.ts';
import { ok } from '../domain/result.ts';
import type { ListedScan, ScanList } from '../domain/scan.ts';
import { readLists } from '../preflight/preflight-reads.ts';
import { chooseProject } from '../preflight/project.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { UNTITLED } from '../scan-api/wire.ts';
import type { FindingFacts, ServiceFacts } from './facts.ts';
import { comparableScans, compareIds } from './finding-ids.ts';

/** The requests of the doctor. None of them changes anything. */
export type ReadingApi = Pick<
  ScanApi,
  'token' | 'repositories' | 'presets' | 'scans' | 'readScan' | 'sampleFindings'
>;

/**
 * Reads all facts from the service. A failed read stops only the reads that depend on it.
 * @param given the input `project-id`
 */
export async function readService(
  api: ReadingApi,
  given: string | undefined,
  signal: AbortSignal,
): Promise<ServiceFacts> {
  const token = await api.token({ signal });
  const isKnown = token.ok || given !== undefined;
  const projectId = isKnown ? chooseProject(given, token.ok ? token.value : undefined) : undefined;
  const isUseless = !token.ok && isAboutAll(token.error);
  if (isUseless || projectId === undefined || !projectId.ok) {
    return { token, projectId, lists: undefined, scan: undefined, findings: undefined };
  }
  const id = projectId.value;
  const [lists, sampled] = await Promise.all([
    readLists(api, id, signal),
    api.sampleFindings(id, { signal }),
  ]);
  const sample = lists.scans.ok ? sampleOf(lists.scans.value) : undefined;
  const scan = sample === undefined ? undefined : await api.readScan(id, sample, { signal });
  const findings = sampled.ok ? ok(sampled.value.map(findingFacts)) : sampled;
  const comparable = sampled.ok && lists.scans.ok ? comparableScans(lists.scans.value) : [];
  return { token, projectId, lists, scan, findings, ids: await readIds(api, id, comparable, signal) };
}

async function readIds(
  api: Pick<ScanApi, 'sampleFindings'>,
  projectId: string,
  scanIds: readonly string[],
  signal: AbortSignal,
): Promise<ServiceFacts['ids']> {
  if (scanIds.length < 2) return undefined;
  const read = await Promise.all(scanIds.map((scanId) => api.sampleFindings(projectId, { signal }, scanId)));
  const failed = read.find((one) => !one.ok);
  if (failed !== undefined) return failed;
  return ok(compareIds(read.flatMap((one) => (one.ok ? [one.value] : []))));
}

/** The members of a finding that the doctor keeps. Pure. */
export function findingFacts({ id, title, location, severity }: Finding): FindingFacts {
  return {
    hasId: id !== undefined,
    hasTitle: title !== UNTITLED,
    hasPlace: location !== undefined,
    severity,
  };
}

/** True if all further requests to the service would fail for the same cause. */
function isAboutAll(error: ApiError): boolean {
  return error.kind !== 'refused' || error.status === 401;
}

/** Chooses the scan that probably shows the most members. A completed diff scan is best. */
function sampleOf({ scans }: ScanList): string | undefined {
  const rank = ({ status, baseSha }: ListedScan) =>
    Number(status === 'COMPLETED') + 2 * Number(baseSha !== undefined);
  return scans.filter(({ id }) => id !== undefined).toSorted((a, b) => rank(b) - rank(a))[0]?.id;
}
