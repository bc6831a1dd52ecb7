import { ok } from '../../../../src/domain/result.ts';
import { readBranchRules, readMergeQueue } from '../../../../src/github/branch-rules.ts';
import {
  comparisonIsEmpty,
  listComparedCommits,
  mergeBaseByCompare,
  readCommitTree,
  readHeadsMergedBy,
} from '../../../../src/github/compare.ts';
import { readBlob, readTree } from '../../../../src/github/git-tree.ts';
import type { GitHubClient } from '../../../../src/github/octokit.ts';
import { readBranchTip } from '../../../../src/github/pull-request-state.ts';
import {
  readEnvironmentRules,
  readLanguages,
  readProtectedBranch,
  readRepository,
} from '../../../../src/github/repository.ts';
import { readForeignWorkflow, readWorkflowFiles } from '../../../../src/github/workflows.ts';
import { oneOf } from '../../../support/outcomes.ts';
import { content } from '../answers.ts';
import { SHA } from '../samples.ts';
import type { Reader } from './reader.ts';

const required = {
  contexts: ['a', 'b', 'c'],
  checks: [
    { context: 'a', app_id: 15_368 },
    { context: 'b', app_id: null },
    { context: 'c', app_id: -1 },
  ],
};
const environment = (github: GitHubClient) => readEnvironmentRules(github, 'scan forks');
const PATH = '.github/workflows/scangate.yml';
const FILE = { type: 'file', path: PATH };
const workflows = (github: GitHubClient) => readWorkflowFiles(github, SHA.head);
const foreign = { repositoryId: 7, path: PATH, ref: 'refs/heads/main' };

const SETTINGS: readonly Reader[] = [
  {
    name: 'readRepository',
    read: readRepository,
    answer: { id: 7, default_branch: 'trunk', private: false },
  },
  {
    name: 'readLanguages',
    read: readLanguages,
    answer: { TypeScript: 7, HTML: 1 },
    others: oneOf('', {}, ['TypeScript']),
  },
  {
    name: 'readProtectedBranch',
    read: (github) => readProtectedBranch(github, 'release/1.x'),
    answer: {
      commit: { sha: SHA.head },
      protected: true,
      protection: { required_status_checks: required },
    },
  },
  {
    name: 'readBranchTip',
    // The name of the branch contains a slash, which the path has to encode.
    read: (github) => readBranchTip(github, 'release/1.x'),
    answer: { ref: 'refs/heads/release/1.x', object: { type: 'commit', sha: SHA.base } },
    others: [
      ...oneOf('ref', 'refs/heads/release/1.x-fixes', 'refs/tags/release/1.x'),
      { 'object.type': 'tag' },
    ],
  },
  {
    name: 'readBranchRules',
    read: (github) => readBranchRules(github, 'release/1.x'),
    answer: [{ type: 'merge_queue', parameters: { any: 1 } }, { type: 'deletion' }, null, { type: 7 }],
  },
  {
    name: 'readMergeQueue by GraphQL',
    read: (github) =>
      readMergeQueue(github, 'release/1.x', ok({ rules: [{ type: 'deletion' }], complete: true })),
    answer: { data: { repository: { mergeQueue: { configuration: { mergingStrategy: 'ALLGREEN' } } } } },
    others: [
      ...oneOf('data.repository.mergeQueue.configuration.mergingStrategy', 'HEADGREEN', 'SOMETHING_NEW'),
      ...[[], [{ type: 'NOT_FOUND' }], [{ type: 'FORBIDDEN' }]].map((errors) => ({
        'data.repository': null,
        errors,
      })),
    ],
  },
  {
    name: 'readEnvironmentRules',
    read: environment,
    answer: {
      protection_rules: [{ type: 'required_reviewers', reviewers: [{ type: 'User' }] }],
      deployment_branch_policy: { protected_branches: true },
    },
    others: [{ 'protection_rules.0.type': 'wait_timer' }, { '': {} }],
  },
  {
    name: 'readEnvironmentRules: the branches',
    read: environment,
    first: [[200, { deployment_branch_policy: { custom_branch_policies: true } }]],
    answer: { branch_policies: [{ name: 'main' }, { name: 'release/*', type: 'branch' }] },
  },
  {
    name: 'readWorkflowFiles: the folder',
    read: workflows,
    answer: [FILE, { type: 'dir', path: `${PATH}.yml` }, { type: 'file', path: 'notes.md' }],
    later: [[200, content('on: push')]],
  },
  { name: 'readWorkflowFiles: a file', read: workflows, first: [[200, [FILE]]], answer: content('ä') },
  {
    name: 'readForeignWorkflow',
    read: (github) => readForeignWorkflow(github, foreign),
    answer: content('on: push'),
    others: [{ encoding: 'none', content: '' }],
  },
  {
    name: 'readForeignWorkflow without a ref',
    read: (github) => readForeignWorkflow(github, { ...foreign, ref: undefined }),
    answer: content('on: push'),
  },
];

const entry = { path: 'a b', mode: '100644', sha: SHA.other, type: 'blob', size: 7 };
const bytes = Buffer.from('é\u0000\n'.repeat(40)).toString('base64');
const PAIR = { base: SHA.other, head: SHA.head };
const mergeBase = {
  read: (github: GitHubClient) => mergeBaseByCompare(github, PAIR),
  answer: { merge_base_commit: { sha: SHA.base, commit: { tree: { sha: 'd'.repeat(40) } } } },
};
const commit = (sha: string, ...parents: string[]) => ({ sha, parents: parents.map((id) => ({ sha: id })) });

const COMMITS: readonly Reader[] = [
  {
    name: 'readCommitTree',
    read: (github) => readCommitTree(github, SHA.head),
    answer: { sha: SHA.head, tree: { sha: SHA.base } },
    others: [{ sha: SHA.other }],
  },
  {
    name: 'readTree',
    read: (github) => readTree(github, SHA.base),
    answer: { tree: [entry, { path: 'b', mode: '100644', sha: SHA.base }], truncated: false },
    others: [
      ...oneOf('tree.0.mode', '100755', '040000', '120000', '160000', '100600'),
      ...oneOf('tree.0.path', 'b', 'a/b', 'a/', '/a'),
    ],
  },
  {
    name: 'readBlob',
    read: (github) => readBlob(github, SHA.other),
    answer: { encoding: 'base64', content: bytes.replace(/.{60}/g, '$&\n') },
    others: [{ encoding: 'none' }, { encoding: 'utf-8', content: 'a' }],
  },
  { ...mergeBase, name: 'mergeBaseByCompare: the second page' },
  { ...mergeBase, name: 'mergeBaseByCompare: the first page', first: [[200, { commits: [] }]] },
  {
    name: 'comparisonIsEmpty',
    read: (github) => comparisonIsEmpty(github, PAIR.base, PAIR.head),
    answer: { files: [{ filename: 'a' }] },
  },
  {
    name: 'listComparedCommits',
    read: (github) => listComparedCommits(github, PAIR),
    answer: { total_commits: 2, commits: [commit(SHA.head, SHA.base, SHA.other), commit(SHA.base)] },
    others: [{ total_commits: 3 }],
  },
  {
    name: 'readHeadsMergedBy',
    read: (github) => readHeadsMergedBy(github, SHA.base),
    // The first head is the head that the commit merged, and each head is listed once.
    answer: [
      { head: { sha: SHA.other }, merge_commit_sha: SHA.other },
      { head: { sha: SHA.other }, merge_commit_sha: null },
      { head: { sha: SHA.head }, merge_commit_sha: SHA.base },
    ],
  },
];

export const REPOSITORY_READERS: readonly Reader[] = [...SETTINGS, ...COMMITS];
