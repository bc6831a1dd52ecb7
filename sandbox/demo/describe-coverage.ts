import type { ActionRun } from '../runner/action-run.ts';
import type { Coverage } from '../scan-service/records.ts';
import type { FakeScanService } from '../scan-service/server.ts';

const NO_REAL_SCANNER =
  'It is not a real scanner: it finds a few kinds of vulnerabilities in JavaScript and TypeScript, and credentials in any text file. Some of what it finds is wrong, because it cannot see which values an attacker controls, and it leaves passwords in tests out.';

/**
 * Says how much of the change the fake service read, and that the service is fake.
 * @param coverage undefined if no scan was completed
 */
export function describeCoverage(coverage: Coverage | undefined): string {
  const start = coverage === undefined ? 'About the fake scanning service:' : countsOf(coverage);
  return `${start} ${NO_REAL_SCANNER}`;
}

/**
 * Says how many of the changed files the fake service read. A green verdict proves nothing about a file that was not
 * read. Files that were only deleted or renamed are not counted.
 */
export function countsOf(coverage: Coverage): string {
  const { codeFilesRead, filesRead, filesSkipped } = coverage;
  const all = filesRead + filesSkipped;
  const skipped = filesSkipped === 0 ? '' : ` It skipped ${filesSkipped}: binary or too large.`;
  const unknown = codeFilesRead < all ? ' The verdict does not cover the rest.' : '';
  return `The fake scanning service searched the code of ${codeFilesRead} of ${all} changed ${all === 1 ? 'file' : 'files'} for vulnerabilities, and ${filesRead} for credentials.${skipped}${unknown}`;
}

/** Finds out how much of the change the scan of a run has read. Undefined if no scan was completed. */
export function coverageOf({ scans }: FakeScanService, { outputs }: ActionRun): Coverage | undefined {
  return scans().find(({ id }) => id === outputs['scan-id'])?.coverage ?? undefined;
}
