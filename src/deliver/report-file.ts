import type { WholeReport } from '../report/report.ts';
import { type Text, writeInside } from '../runner/workspace-file.ts';
import type { DeliveryDeps } from './place.ts';

/**
 * Writes a rendering of the report to a file, if the inputs name one. Returns its path. Throws like `writeInside`.
 * @param file absolute path
 */
export async function deliverFile(
  { workspace }: Pick<DeliveryDeps, 'workspace'>,
  file: string | undefined,
  report: WholeReport,
  render: (report: WholeReport) => Text,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  await writeInside(workspace, file, render(report));
  return file;
}
