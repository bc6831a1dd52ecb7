import { renderJsonReport } from '../report/json-report.ts';
import type { Report } from '../report/report.ts';
import { writeInside } from '../write-inside.ts';
import type { DeliveryWorld } from './place.ts';

/** Writes the JSON report, where one is wanted and something was scanned. Returns its path; throws as `writeInside`. */
export async function deliverReportFile(
  { inputs, workspace }: Pick<DeliveryWorld, 'inputs' | 'workspace'>,
  report: Report,
): Promise<string | undefined> {
  const { outcome } = report.verdict;
  if (inputs.reportFile === undefined || (outcome !== 'passed' && outcome !== 'blocked')) return undefined;
  await writeInside(workspace, inputs.reportFile, renderJsonReport(report));
  return inputs.reportFile;
}
