import type { Answer } from '../faults/interception.ts';
import { NOT_FOUND, refuse } from './answer.ts';
import { type CommitAnswer, readCommits } from './commits.ts';
import type { GitMirror } from './git-mirror.ts';
import { linkHeader, readPage, slicePage } from './paging.ts';
import { resolveCommit } from './refs.ts';

/** "It includes up to 300 changed files for the entire comparison", on the first page only. */
const MOST_FILES = 300;
/** Without `page` and `per_page` the list ends with the newest commit and is limited to 250. */
const MOST_COMMITS_UNPAGED = 250;

export interface CompareRequest {
  readonly mirror: GitMirror;
  /** `base...head`, decoded. */
  readonly basehead: string;
  readonly query: URLSearchParams;
  readonly urls: { readonly api: string; readonly html: string };
  /** Accepted before a ref, as in `owner:branch`. */
  readonly owner: string;
}

/** Answers a comparison from the repository. The files have no `patch`: no caller reads it. */
export async function compare(request: CompareRequest): Promise<Answer> {
  const { mirror, basehead, query, urls } = request;
  const dots = basehead.indexOf('...');
  if (dots < 0) return NOT_FOUND;
  const names = [basehead.slice(0, dots), basehead.slice(dots + 3)].map((name) =>
    withoutOwner(name, request.owner),
  );
  const [baseName = '', headName = ''] = names;
  const [base, head] = await Promise.all([resolveCommit(mirror, baseName), resolveCommit(mirror, headName)]);
  if (base === undefined || head === undefined) return NOT_FOUND;
  const [mergeBase] = await lines(mirror, [base, head], ['merge-base', base, head]);
  if (mergeBase === undefined) return refuse(404, `No common ancestor between ${baseName} and ${headName}.`);
  // `<` and the id of a commit that only the base has, or `>` and that of one that only the head has.
  const sides = await lines(
    mirror,
    [base, head],
    ['rev-list', '--left-right', '--reverse', `${base}...${head}`],
  );
  const all = sides.filter((line) => line.startsWith('>')).map((line) => line.slice(1));
  const ahead = all.length;
  const behind = sides.length - ahead;
  const paged = query.has('page') || query.has('per_page');
  const page = readPage(query);
  const shown = paged ? slicePage(all, page) : all.slice(-MOST_COMMITS_UNPAGED);
  const commits = await readCommits(mirror, [base, mergeBase, ...shown], urls);
  const byId = new Map(commits.map((commit): [string, CommitAnswer] => [commit.sha, commit]));
  const url = `${urls.api}/compare/${encodeURIComponent(basehead)}`;
  return {
    status: 200,
    headers: paged ? linkHeader(url, query, all.length, page) : {},
    body: {
      url,
      html_url: `${urls.html}/compare/${basehead}`,
      base_commit: byId.get(base),
      merge_base_commit: byId.get(mergeBase),
      status: ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged',
      ahead_by: ahead,
      behind_by: behind,
      total_commits: ahead,
      commits: shown.map((id) => byId.get(id)),
      ...(!paged || page.page === 1 ? { files: await changedFiles(mirror, mergeBase, head) } : {}),
    },
  };
}

function withoutOwner(name: string, owner: string): string {
  const colon = name.indexOf(':');
  return colon > 0 && name.slice(0, colon).toLowerCase() === owner.toLowerCase()
    ? name.slice(colon + 1)
    : name;
}

/** No line where git fails. */
async function lines(mirror: GitMirror, ids: readonly string[], args: readonly string[]): Promise<string[]> {
  const text = (await mirror.ask(ids, args))?.toString('utf8') ?? '';
  return text.split('\n').filter((line) => line !== '');
}

const STATUS: ReadonlyMap<string, string> = new Map([
  ['A', 'added'],
  ['D', 'removed'],
  ['M', 'modified'],
  ['R', 'renamed'],
  ['C', 'copied'],
  ['T', 'changed'],
]);

async function changedFiles(mirror: GitMirror, from: string, to: string): Promise<unknown[]> {
  const out = await mirror.ask([from, to], ['diff-tree', '-r', '-z', '-M', '--name-status', from, to]);
  if (out === undefined) throw new Error('git cannot compare the files');
  const fields = out.toString('utf8').split('\0');
  const files: unknown[] = [];
  for (let at = 0; at + 1 < fields.length && files.length < MOST_FILES; at += 2) {
    const letter = (fields[at] ?? '').charAt(0);
    const status = STATUS.get(letter) ?? 'changed';
    if (letter === 'R' || letter === 'C') {
      files.push({ filename: fields[at + 2], previous_filename: fields[at + 1], status });
      at += 1;
    } else {
      files.push({ filename: fields[at + 1], status });
    }
  }
  return files;
}
