import type { ServiceState } from './state.ts';

export type ScanSnapshot = ReturnType<typeof scanSnapshots>[number];

/** Returns all scans as they are now, the newest first. */
export function scanSnapshots({ scans, publications }: ServiceState) {
  return scans
    .map(
      ({ id, status, repository, preset, baseCommit, commit, coverage, creditBudget, guidance, found }) => ({
        ...{ id, status, baseCommit, commit, coverage, creditBudget, guidance },
        repositoryId: repository.id,
        presetRef: preset.ref,
        findingIds: found.map((one) => one.findingId),
        /** Undefined if the scan has no page. */
        publishedAs: publications.find((one) => one.kind === 'scan' && one.subjectId === id),
      }),
    )
    .reverse();
}
