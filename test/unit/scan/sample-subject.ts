import type { ListedScan, SavedLaunch, Scan, ScanList, ScanSubject } from '../../../src/domain/scan.ts';
import { SHA } from '../github/samples.ts';
import { aScan } from './fake-api.ts';

/** What a launch in the tests asks for. */
export const subject: ScanSubject = {
  repositoryId: 'r',
  presetRef: 'diff',
  baseSha: SHA.base,
  headSha: SHA.head,
  creditBudget: 20,
  areas: [],
};

/** A launch that the service has not answered yet. */
export const pendingLaunch: SavedLaunch = {
  projectId: 'p',
  headSha: SHA.head,
  before: { ids: ['old'], complete: true },
  subject,
};

/** The members of a scan that fully matches the subject. */
export const whole = {
  repositoryId: 'r',
  presetRef: 'diff',
  baseSha: SHA.base,
  headSha: SHA.head,
  creditBudget: 20,
  areas: [],
  guidance: { from: 'nowhere' },
} as const satisfies Partial<Scan>;

type Shown = string | undefined | (Partial<ListedScan> & { readonly id: string | undefined });

/** A complete list, most recent first. If only the id of a scan is given, the list shows nothing else of that scan. */
export function listOf(...scans: readonly Shown[]): ScanList {
  const { progress: _, ...nothing } = aScan('RUNNING');
  const rows = scans.map((scan) => ({ ...nothing, ...(typeof scan === 'object' ? scan : { id: scan }) }));
  return { scans: rows, complete: true };
}

/** The first page of a list. Pages with older scans follow. */
export function pageOf(...scans: readonly Shown[]): ScanList {
  return { ...listOf(...scans), complete: false };
}
