import { createSeal } from '../../../src/domain/seal.ts';
import type { FoundMark } from '../../../src/scan/marks.ts';
import { encodeMark, type ScanMark } from '../../../src/scan/scan-mark.ts';
import { SHA } from '../github/samples.ts';

export const API_TOKEN = 'api-token-of-the-test';
export const SEAL = createSeal(API_TOKEN, '1296269');

/** A mark of pull request 5 for its head. The given members replace the defaults. */
export function aMark(changes: Partial<ScanMark> = {}): ScanMark {
  return {
    scanId: 's',
    pullRequest: 5,
    headSha: SHA.head,
    baseSha: SHA.base,
    key: 'K'.repeat(22),
    launchedAt: 1_790_000_000,
    runId: 42,
    runAttempt: 1,
    ...changes,
  };
}

export function markText(changes: Partial<ScanMark> = {}): string {
  return encodeMark(aMark(changes), SEAL);
}

/** A mark that was found, by default in a comment. */
export function found(
  changes: Partial<ScanMark> = {},
  checkRun: FoundMark['checkRun'] = undefined,
): FoundMark {
  return { ...aMark(changes), checkRun };
}

/** A check run on a commit, as GitHub lists it. */
export function checkRun(
  id: number,
  externalId: string | null,
  headSha: string = SHA.head,
  more: object = {},
) {
  const url = `https://github.com/acme/shop/runs/${id}`;
  const fields = { id, name: 'Security scan', head_sha: headSha, html_url: url, status: 'in_progress' };
  return { ...fields, external_id: externalId, ...more };
}
