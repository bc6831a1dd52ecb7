import {
  comparisonIsEmpty,
  listComparedCommits,
  mergeBaseByCompare,
  readCommitTree,
} from '../../../../src/github/compare.ts';
import { readBlob, readTree } from '../../../../src/github/git-tree.ts';
import { SHA } from '../client.ts';
import type { Row } from './row.ts';

const commitTree: Row = {
  reader: 'readCommitTree',
  read: (github) => readCommitTree(github, SHA.head),

  valid: [['the tree of the commit', { sha: SHA.head, tree: { sha: SHA.base } }]],
  malformed: [
    ['another commit', { sha: SHA.other, tree: { sha: SHA.base } }],
    ['no commit', { tree: { sha: SHA.base } }],
    ['no tree', { sha: SHA.head }],
    ['an abbreviated tree', { sha: SHA.head, tree: { sha: SHA.base.slice(0, 7) } }],
  ],
};

const entry = { path: 'a', mode: '100644', sha: SHA.other };
const folder = (...tree: object[]) => ({ tree, truncated: false });
const tree: Row = {
  reader: 'readTree',
  read: (github) => readTree(github, SHA.base),

  valid: [
    ...['100644', '100755', '040000', '120000', '160000', '100600'].map(
      (mode) =>
        [
          `an entry of mode ${mode}`,
          folder({ path: 'a b', mode, type: 'blob', sha: SHA.other, size: 7 }),
        ] as const,
    ),
    ['several entries, with and without a size', folder(entry, { ...entry, path: 'b', size: 0 })],
    ['an empty folder', folder()],
  ],
  malformed: [
    ['a list that is cut', { tree: [entry], truncated: true }],
    ['a list that may be cut', { tree: [entry] }],
    ['no list', { truncated: false }],
    ['an entry without a full id', folder({ ...entry, sha: 'abc' })],
    ['an entry without a name', folder({ ...entry, path: '' })],
    ['a name twice', folder(entry, { ...entry, sha: SHA.head })],
    ['a path as a name', folder({ ...entry, path: 'a/b' })],
    ['a path that ends with a slash', folder({ ...entry, path: 'a/' })],
    ['a path that begins with a slash', folder({ ...entry, path: '/a' })],
    ['an entry without a mode', folder({ path: 'a', sha: SHA.other })],
  ],
};

const BYTES = Buffer.from('é\u0000\n'.repeat(40));
const blob: Row = {
  reader: 'readBlob',
  read: (github) => readBlob(github, SHA.other),

  valid: [
    [
      'the bytes of a file',
      { encoding: 'base64', content: BYTES.toString('base64').replace(/.{60}/g, '$&\n') },
    ],
  ],
  malformed: [
    ['no encoding', { encoding: 'none', content: '' }],
    ['the encoding `utf-8`', { encoding: 'utf-8', content: 'a' }],
    ['no content', { encoding: 'base64' }],
  ],
};

const TREE = 'd'.repeat(40);
const mergeBase = (commit: unknown) => ({ merge_base_commit: { sha: SHA.base, commit } });
const comparison = {
  read: (github) => mergeBaseByCompare(github, { base: SHA.other, head: SHA.head }),

  /** A 404 means that GitHub does not have the commit. After any other error, git may still find the merge base. */
} satisfies Partial<Row>;

const comparedBase: Row = {
  ...comparison,
  reader: 'mergeBaseByCompare (the second page)',

  valid: [
    ['the merge base and its tree', mergeBase({ tree: { sha: TREE } })],
    ['only the id of the merge base', mergeBase(undefined)],
    ['the merge base without a tree', mergeBase({})],
    ['the merge base whose tree has no id', mergeBase({ tree: {} })],
    ['the merge base whose tree has no full id', mergeBase({ tree: { sha: 'main' } })],
  ],
  malformed: [['a merge base without a full id', { merge_base_commit: { sha: 'HEAD~1' } }]],
};

const comparedBaseOnFirstPage: Row = {
  ...comparison,
  reader: 'mergeBaseByCompare (the first page, if the second shows no merge base)',
  first: [[200, { commits: [] }]],

  valid: [['the merge base and its tree', mergeBase({ tree: { sha: TREE } })]],
  malformed: [['no merge base either', {}]],
};

const emptyComparison: Row = {
  reader: 'comparisonIsEmpty',
  read: (github) => comparisonIsEmpty(github, SHA.other, SHA.head),

  valid: [
    ['that no file changed', { files: [] }],
    ['that a file changed', { files: [{ filename: 'a' }] }],
  ],
  malformed: [
    ['no list of files', {}],
    ['null instead of a list of files', { files: null }],
    ['text instead of a list of files', { files: 'none' }],
  ],
};

const commit = (sha: string, ...parents: string[]) => ({ sha, parents: parents.map((id) => ({ sha: id })) });
const commits = (total: unknown, ...all: object[]) => ({ total_commits: total, commits: all });
const comparedCommits: Row = {
  reader: 'listComparedCommits',
  read: (github) => listComparedCommits(github, { base: SHA.other, head: SHA.head }),

  valid: [
    ['the commits and their parents', commits(2, commit(SHA.head, SHA.base, SHA.other), commit(SHA.base))],
    ['that there are no commits', commits(0)],
    ['that there are more commits than listed', commits(2, commit(SHA.head))],
  ],
  malformed: [
    ['no number of commits', commits(undefined)],
    ['no list of commits', { total_commits: 0 }],
    ['a commit without a full id', commits(1, commit('HEAD'))],
    ['a parent without a full id', commits(1, commit(SHA.head, 'HEAD~1'))],
    ['a commit without parents', commits(1, { sha: SHA.head })],
  ],
};

export const CONTENT_READERS: readonly Row[] = [
  commitTree,
  tree,
  blob,
  comparedBase,
  comparedBaseOnFirstPage,
  emptyComparison,
  comparedCommits,
];
