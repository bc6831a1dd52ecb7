import { test } from 'vitest';
import { changedFiles, confirmEmptyDiff, hasOneMergeBase } from '../../../src/change/changed-files.ts';
import { err, ok, Stop } from '../../../src/domain/result.ts';
import type { DiffBase } from '../../../src/domain/target.ts';
import type { ReadTree, Tree } from '../../../src/github/git-tree.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import type { Prepared } from '../../support/answering.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { expectConversations } from '../github/conversation.ts';
import { gitHubError, SHA } from '../github/samples.ts';

/** The files of a folder by name: the content of a file, or the files of a folder. Null if it cannot be read. */
interface Files {
  readonly [name: string]: string | Files | null;
}

const idOf = (files: Files[string]) => JSON.stringify(files);

/** Reads folders by their id, which is their content. */
const readTree: ReadTree = async (id) => {
  const files: Files | null = JSON.parse(id);
  if (files === null) return err(gitHubError('refused'));
  const entries = Object.entries(files).map(([name, content]) => {
    const [kind, mode] = typeof content === 'string' ? (['file', '100644'] as const) : FOLDER;
    return [name, { kind, mode, sha: idOf(content), size: undefined }] as const;
  });
  return ok<Tree>(new Map(entries));
};
const FOLDER = ['folder', '040000'] as const;

/** The files of the base, of the head, and of the tip of the base branch. By default, that branch has not moved. */
type Commits = readonly [base: Files | null, head: Files | null, tip?: Files | null];

/** Shows the changed files, with the path that has moved, and why there are no more. */
async function filesOf([base, head, tip = base]: Commits): Promise<readonly string[]> {
  const commits = { baseSha: idOf(base), headSha: idOf(head), tip: idOf(tip) };
  const shown: string[] = [];
  for await (const file of changedFiles(readTree, commits)) {
    if (!file.ok) shown.push(`${file.error.why} (${file.error.error?.kind ?? 'no error'})`);
    else shown.push(file.value.path + (file.value.moved === undefined ? '' : ` [${file.value.moved} moved]`));
  }
  return shown;
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'x']));
const inFolders = (count: number) =>
  Object.fromEntries(Object.keys(many(count)).map((name) => [name, { a: 'x' }]));
const ends = (all: readonly string[]) => [String(all.length), ...all.slice(-1)].join(', the last: ');

test('the changed files, and what the base branch has moved, are found as changed-files.txt shows', async () => {
  await expectTable('changed-files', {
    changedFiles: casesOf(filesOf, {
      'no change': [
        { a: '1', b: { c: '1' } },
        { a: '1', b: { c: '1' } },
      ],
      'a changed, a new and a deleted file': [
        { a: '1', b: '1' },
        { a: '2', c: '1' },
      ],
      'a changed file in a folder, beside a folder that is equal': [
        { a: { b: { c: '1' } }, d: { e: '1' } },
        { a: { b: { c: '2' } }, d: { e: '1' } },
      ],
      'a file that the base branch changed': [{ a: '1' }, { a: '2' }, { a: '3' }],
      'a file that the base branch deleted': [{ a: '1' }, { a: '2' }, {}],
      'a file that the base branch created': [{}, { a: '1' }, { a: '2' }],
      'a folder that the base branch changed': [
        { a: { b: '1', c: '1' } },
        { a: { b: '2', c: '1' } },
        { a: { b: '1', c: '2' } },
      ],
      'a folder that the base branch deleted': [{ a: { b: '1' } }, { a: { b: '2' } }, {}],
      'a new folder that the base branch created too': [{}, { a: { b: '1' } }, { a: { c: '1' } }],
      'a file that the change and the base branch made a folder': [
        { a: '1' },
        { a: { b: '1' } },
        { a: { c: '1' } },
      ],
      'a folder that the change made a file': [{ a: { b: '1' } }, { a: '1' }],
      'an unreadable base': [null, {}, {}],
      'an unreadable head': [{}, null, {}],
      'an unreadable tip': [{}, {}, null],
    }),
    'changedFiles, of': casesOf(async (commits: Commits) => ends(await filesOf(commits)), {
      '300 files': [{}, many(300)],
      '301 files': [{}, many(301)],
      '29 folders and the root': [{}, inFolders(29)],
      '30 folders and the root': [{}, inFolders(30)],
    }),
  });
});

const OLDER = ['1', '2', '3', '4', '5', '6'].map((digit) => digit.repeat(40));
const own = (sha: string, ...parents: readonly string[]) => ({
  sha,
  parents: parents.map((one) => ({ sha: one })),
});
const lists = (...commits: readonly object[]): Prepared => [200, { total_commits: commits.length, commits }];
const basesOf = (...shas: readonly string[]) =>
  shas.map((sha): Prepared => [200, { merge_base_commit: { sha } }]);
const one = (github: GitHubClient) =>
  hasOneMergeBase(
    { github, signal: NEVER_ABORTED },
    { baseSha: SHA.base, headSha: SHA.head, tip: SHA.other },
  );

test('a change has one merge base if it contains every other commit that the base branch shares with it', async () => {
  await expectConversations('merge-bases', [
    [
      'the base is the tip',
      (github) =>
        hasOneMergeBase(
          { github, signal: NEVER_ABORTED },
          { baseSha: SHA.base, headSha: SHA.head, tip: SHA.base },
        ),
    ],
    ['a commit on the base', one, lists(own(SHA.head, SHA.base))],
    ['two commits on the base', one, lists(own(OLDER[0] ?? '', SHA.base), own(SHA.head, OLDER[0] ?? ''))],
    [
      'a commit that merges five older commits',
      one,
      lists(own(SHA.head, SHA.base, ...OLDER.slice(1))),
      ...basesOf(...OLDER.slice(1)),
    ],
    ['a commit that merges six older commits', one, lists(own(SHA.head, SHA.base, ...OLDER))],
    [
      'a commit that merges a commit beside the base',
      one,
      lists(own(SHA.head, SHA.base, ...OLDER.slice(4))),
      ...basesOf(OLDER[4] ?? '', SHA.other),
    ],
    ['no commit on the base', one, lists(own(SHA.head, ...OLDER.slice(5)))],
    ['more commits than GitHub lists', one, [200, { total_commits: 2, commits: [own(SHA.head, SHA.base)] }]],
    ['unreadable commits', one, [403, { message: 'no' }]],
    [
      'an unreadable comparison',
      one,
      lists(own(SHA.head, SHA.base, ...OLDER.slice(5))),
      [403, { message: 'no' }],
    ],
  ]);
});

const confirm =
  (how: DiffBase['how'], signal = NEVER_ABORTED) =>
  (github: GitHubClient) =>
    confirmEmptyDiff(github, { baseSha: SHA.base, headSha: SHA.head, how }, signal);

test('a change counts as empty only if GitHub confirms that no file changed', async () => {
  await expectConversations('empty-changes', [
    ['no file', confirm('compare'), [200, { files: [] }]],
    ['a file', confirm('git'), [200, { files: [{}] }]],
    ['no answer', confirm('compare'), [422, { message: 'Invalid request.' }]],
    ['a base that the workflow sets', confirm('input')],
    [
      'a full scan',
      (github) =>
        confirmEmptyDiff(github, { baseSha: undefined, headSha: SHA.head, how: 'none' }, NEVER_ABORTED),
    ],
    ['a timeout', confirm('compare', AbortSignal.abort(new Stop('timeout')))],
  ]);
});
