import { changedFiles } from '../scan-service/analyzer/changed-lines.ts';
import { isCode } from '../scan-service/analyzer/code-engine.ts';
import { type LocalChange, mergeBases } from './local-change.ts';

const NO_REAL_SCANNER =
  'It is not a real scanner: it finds a few kinds of vulnerabilities in JavaScript and TypeScript, and credentials in any text file.';

/**
 * Describes in one sentence how much of the change the rules of the fake service could read. A green verdict about
 * files that they cannot read proves nothing. Files that were deleted or only renamed have nothing to read.
 */
export async function describeCoverage(change: LocalChange): Promise<string> {
  const [mergeBase] = await mergeBases(change);
  if (mergeBase === undefined) return `About the fake scanning service: ${NO_REAL_SCANNER}`;
  const { files, leftOut } = await changedFiles(change.directory, mergeBase, change.headSha);
  const read = files.filter(({ path }) => isCode(path)).length;
  const all = files.length + leftOut;
  const unknown = read < all ? ' The verdict does not cover the rest.' : '';
  return `The fake scanning service read ${read} of ${all} changed ${all === 1 ? 'file' : 'files'}.${unknown} ${NO_REAL_SCANNER}`;
}
