import type { Fact } from './facts.ts';

const COMPARE = 'rest/commits/commits#compare-two-commits';
const BASE = { page: COMPARE, show: 'merge_base_commit.sha status ahead_by behind_by total_commits' };

export const REPOSITORY_FACTS: readonly Fact[] = [
  {
    name: 'a comparison names the merge base, the counts, the commits in order and the files',
    page: COMPARE,
    steps: ['GET compare/main...{t3}'],
    show: 'base_commit.sha merge_base_commit.sha status ahead_by behind_by total_commits commits.*.sha commits.0.commit.message commits.0.commit.author files',
  },
  {
    name: 'a comparison accepts branches, tags, full refs, short ids and `owner:branch`',
    ...BASE,
    steps: [
      'GET compare/feature/with/slash...topic',
      'GET compare/feature%2Fwith%2Fslash...topic',
      'GET compare/refs/heads/feature/with/slash...topic',
      'GET compare/octo-org:feature/with/slash...topic',
      'GET compare/main...main',
      'GET compare/topic...feature/with/slash',
    ],
  },
  {
    name: 'a tag comes before a branch of the same name',
    ...BASE,
    steps: ['GET compare/main...twice', 'GET compare/main...refs/heads/twice'],
  },
  {
    name: 'a comparison lists the commits in pages, and the files only on the first page',
    page: COMPARE,
    steps: [1, 2, 9].map((page) => `GET compare/main...topic?per_page=1&page=${page}`),
    show: 'total_commits merge_base_commit.sha commits.*.sha files.*.filename',
  },
  {
    name: 'a comparison lists at most 300 files',
    page: COMPARE,
    steps: ['GET compare/main...many'],
    show: 'files.length',
  },
  {
    name: 'a comparison needs a common ancestor',
    page: COMPARE,
    steps: ['GET compare/main...alone'],
  },
  {
    name: 'a comparison needs two names that exist',
    page: COMPARE,
    steps: [
      'GET compare/nowhere...topic',
      `GET compare/${'0'.repeat(40)}...topic`,
      'GET compare/main~1...topic',
      'GET compare/--all...topic',
      'GET compare/main%00...topic',
      'GET compare/main..topic',
      'GET compare/%E0%A4%A...topic',
      'GET compare/unknown-owner:main...topic',
      'GET compare/release/1...topic',
    ],
  },
  {
    name: 'the repository shows its default branch and its visibility',
    page: 'rest/repos/repos#get-a-repository',
    options: { visibility: 'private' },
    steps: ['GET /repos/octo-org/demo', 'GET /repos/octo-org/other', 'GET /nothing'],
    show: 'full_name default_branch private visibility',
  },
  {
    name: 'a file is shown at a ref',
    page: 'rest/repos/contents#get-repository-content',
    steps: [
      'GET contents/a.txt',
      'GET contents/a.txt?ref=topic',
      'GET contents/a.txt?ref={t3}',
      'GET contents/gone.txt',
      'GET contents/a.txt/deeper',
      'GET contents/a.txt?ref=gone',
    ],
    show: 'type path size encoding content',
  },
  {
    name: 'a folder is shown as a list',
    page: 'rest/repos/contents#get-repository-content',
    steps: ['GET contents/folder?ref=kinds'],
    show: '*.type *.path *.name *.size',
  },
  {
    name: 'a commit and a tree list their entries, without those of folders',
    page: 'rest/git/trees#get-a-tree',
    steps: [
      'GET git/commits/{kinds}',
      'GET git/trees/{kinds}',
      `GET git/commits/${'f'.repeat(40)}`,
      `GET git/trees/${'f'.repeat(40)}`,
    ],
    show: 'tree.sha tree.*.path tree.*.mode tree.*.type tree.*.size truncated',
  },
  {
    name: 'a file is shown by its id, in lines of 60 characters',
    page: 'rest/git/blobs#get-a-blob',
    steps: ['GET git/blobs/5626abf0f72e58d7a153368ba57db4c673c0e171', `GET git/blobs/${'f'.repeat(40)}`],
    show: 'size encoding content',
  },
  {
    name: 'a reference is found only by its exact name',
    page: 'rest/git/refs#get-a-reference',
    steps: [
      'GET git/ref/heads/feature/with/slash',
      'GET git/ref/heads%2Ffeature%2Fwith%2Fslash',
      'GET git/ref/heads/gone',
      'GET git/ref/heads/feature',
      'GET git/ref/main',
      'GET git/ref/{t1}',
    ],
    show: 'ref object.type object.sha',
  },
  {
    name: 'a branch shows the checks that branch protection requires, but not those of rulesets',
    page: 'rest/branches/branches#get-a-branch',
    options: {
      requiredChecks: { main: { byRuleset: ['one'], byProtection: ['two'] }, topic: { byRuleset: ['x'] } },
    },
    steps: [
      'GET branches/main',
      'GET branches/topic',
      'GET branches/alone',
      'GET branches/feature%2Fwith%2Fslash',
      'GET branches/gone',
      'GET rules/branches/main',
    ],
    show: 'commit.sha protected protection.enabled protection.required_status_checks.contexts *.type *.parameters',
  },
  {
    name: 'the rules of a branch include those of its merge queue',
    page: 'rest/repos/rules#get-rules-for-a-branch',
    options: {
      mergeQueues: {
        'feature/with/slash': { rules: ['ALLGREEN', 'HEADGREEN'], mergingStrategy: 'ALLGREEN' },
      },
    },
    steps: [
      'GET rules/branches/feature%2Fwith%2Fslash',
      'GET rules/branches/feature%2Fwith%2Fslash?per_page=2',
      'GET rules/branches/main',
    ],
    show: '*.type *.ruleset_id *.parameters.grouping_strategy',
  },
];
