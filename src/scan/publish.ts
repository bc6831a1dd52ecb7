import type { Publication } from '../domain/project.ts';
import { err, type Result } from '../domain/result.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';

/**
 * Publishes a COMPLETED scan. A failure does not affect the verdict.
 * @param gated true if the page asks for a password
 * @returns the public page, or the text of a warning
 */
export async function publishScan(
  api: Pick<ScanApi, 'publish'>,
  projectId: string,
  scanId: string,
  gated: boolean,
  signal: AbortSignal,
): Promise<Result<Publication, string>> {
  const answer = await api.publish(projectId, scanId, gated, { signal });
  if (!answer.ok) {
    const { cause, nextStep } = explainApiError(answer.error);
    const lost = answer.error.kind === 'refused' ? '' : ' It may be public anyway.';
    return err(`The scan was not published. ${cause}${lost} ${nextStep}`);
  }
  if (gated && answer.value.accessPassword === null) {
    // The message omits the address. The log may be public, and the page shows more than the log.
    return err(
      'The service published the scan without the password that Scangate asked for. Check in the service who can read the page.',
    );
  }
  return answer;
}
