import * as v from 'valibot';
import type { Coverage } from '../scan-service/records.ts';
import type { FakeScanService } from '../scan-service/server.ts';

const Count = v.number();
const Answer = v.object({
  scan: v.object({
    coverage: v.nullable(v.object({ filesRead: Count, codeFilesRead: Count, filesSkipped: Count })),
  }),
});

/** Asks the API how much of the change a scan has read. Undefined if no scan was completed. */
export async function readCoverage(
  { baseUrl, project, token }: FakeScanService,
  scanId: string | undefined,
): Promise<Coverage | undefined> {
  if (!scanId) return undefined;
  const url = `${baseUrl}/projects/${project.id}/scans/${encodeURIComponent(scanId)}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return v.parse(Answer, await response.json()).scan.coverage ?? undefined;
}
