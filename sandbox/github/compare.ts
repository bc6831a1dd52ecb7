import type { Answer } from '../faults/interception.ts';
import type { JsonObject } from '../json.ts';
import { NOT_FOUND, refuse } from './answer.ts';
import { readCommit, readDifference, renderCommit } from './commits.ts';
import type { GitMirror } from './git-mirror.ts';
import { linkHeader, readPage, slicePage } from './paging.ts';
import { resolveCommit } from './refs.ts';
import type { GitHubState, RouteCall } from './route.ts';

/**
 * GitHub documents: "It includes up to 300 changed files for the entire comparison". Only the first page has the files.
 */
const MOST_FILES = 300;

/** Answers a comparison from the git repository. Its files have no `patch`, because the action does not read it. */
export async function compare(call: RouteCall, { mirror, owner, urls }: GitHubState): Promise<Answer> {
  const { param: basehead, query, url } = call;
  const dots = basehead.indexOf('...');
  if (dots < 0) return NOT_FOUND;
  const baseName = withoutOwner(basehead.slice(0, dots), owner);
  const headName = withoutOwner(basehead.slice(dots + 3), owner);
  const [base, head] = await Promise.all([resolveCommit(mirror, baseName), resolveCommit(mirror, headName)]);
  if (base === undefined || head === undefined) return NOT_FOUND;
  const found = await mirror.ask([base, head], ['merge-base', base, head]);
  if (found === undefined) return refuse(404, `No common ancestor between ${baseName} and ${headName}.`);
  const mergeBase = found.toString('utf8').trim();

  const { ofBase, ofHead } = await readDifference(mirror, base, head);
  const [ahead, behind] = [ofHead.length, ofBase.length];
  const paged = query.has('page') || query.has('per_page');
  const page = readPage(query);
  const shown = paged ? slicePage(ofHead, page) : ofHead;
  const mergeCommit = await readCommit(mirror, mergeBase);
  return {
    status: 200,
    headers: paged ? linkHeader(url, query, ahead, page) : {},
    body: {
      url,
      html_url: `${urls.html}/compare/${basehead}`,
      merge_base_commit: mergeCommit && renderCommit(mergeCommit, urls),
      status: ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged',
      ahead_by: ahead,
      behind_by: behind,
      total_commits: ahead,
      commits: shown.map((commit) => renderCommit(commit, urls)),
      ...(!paged || page.page === 1 ? { files: await changedFiles(mirror, mergeBase, head) } : {}),
    },
  };
}

/** A ref may begin with the owner of the repository: `owner:branch`. */
function withoutOwner(name: string, owner: string): string {
  const colon = name.indexOf(':');
  return colon > 0 && name.slice(0, colon).toLowerCase() === owner.toLowerCase()
    ? name.slice(colon + 1)
    : name;
}

/** The name of each letter of git. All other letters are `changed`. */
const STATUS: JsonObject = { A: 'added', D: 'removed', M: 'modified', R: 'renamed', C: 'copied' };

async function changedFiles(mirror: GitMirror, from: string, to: string): Promise<unknown[]> {
  const out = await mirror.ask([from, to], ['diff-tree', '-r', '-z', '-M', '--name-status', from, to]);
  if (out === undefined) throw new Error('git cannot compare the files');
  const fields = out.toString('utf8').split('\0');
  const files: unknown[] = [];
  for (let at = 0; at + 1 < fields.length && files.length < MOST_FILES; at += 2) {
    const letter = (fields[at] ?? '').charAt(0);
    const status = STATUS[letter] ?? 'changed';
    if (letter === 'R' || letter === 'C') {
      files.push({ filename: fields[at + 2], previous_filename: fields[at + 1], status });
      at += 1;
    } else {
      files.push({ filename: fields[at + 1], status });
    }
  }
  return files;
}
