import { ok } from '../../../../src/domain/result.ts';
import { readBranchRules, readMergeQueue } from '../../../../src/github/branch-rules.ts';
import { readBranchTip } from '../../../../src/github/pull-request-state.ts';
import {
  readEnvironmentRules,
  readLanguages,
  readProtectedBranch,
  readRepository,
} from '../../../../src/github/repository.ts';
import { readForeignWorkflow, readWorkflowFiles } from '../../../../src/github/workflows.ts';
import { SHA } from '../client.ts';
import { NEXT, type Row } from './row.ts';

const repository: Row = {
  reader: 'readRepository',
  read: readRepository,

  valid: [
    ['a public repository', { id: 7, default_branch: 'trunk', private: false }],
    ['a private repository', { id: 7, default_branch: 'trunk', private: true }],
    ['a repository without id and visibility as private', { default_branch: 'trunk' }],
  ],
  malformed: [
    ['an empty default branch', { id: 7, default_branch: '' }],
    ['no default branch', { id: 7 }],
  ],
};

const languages: Row = {
  reader: 'readLanguages',
  read: readLanguages,

  valid: [
    ['the names of the languages', { TypeScript: 7, HTML: 1 }],
    ['that there are none', {}],
  ],
  malformed: [['a list', ['TypeScript']]],
};

const branch = (changes: object) => ({ commit: { sha: SHA.head }, ...changes });
const requiring = (required_status_checks: object) => ({
  protected: true,
  protection: { required_status_checks },
});
const protectedBranch: Row = {
  reader: 'readProtectedBranch',
  read: (github) => readProtectedBranch(github, 'release/1.x'),

  valid: [
    ['the names of required checks', branch(requiring({ contexts: ['a'] }))],
    [
      'the apps of required checks',
      branch(
        requiring({
          contexts: ['a', 'b', 'c'],
          checks: [
            { context: 'a', app_id: 15_368 },
            { context: 'b', app_id: null },
            { context: 'c', app_id: -1 },
          ],
        }),
      ),
    ],
    [
      'a branch without protection',
      branch({ protected: false, protection: { required_status_checks: { contexts: [] } } }),
    ],
    ['a branch whose required checks GitHub does not show', branch({ protected: true })],
    [
      'malformed protection as not shown',
      branch({ protected: 'yes', protection: { required_status_checks: null } }),
    ],
    ['a branch of which only the commit is shown', branch({})],
  ],
  malformed: [
    ['no commit', { protected: true }],
    ['a commit without a full id', { commit: { sha: 'HEAD' } }],
  ],
};

const tip = (changes: object = {}) => ({
  ref: 'refs/heads/release/1.x',
  object: { type: 'commit', sha: SHA.base },
  ...changes,
});
const branchTip: Row = {
  reader: 'readBranchTip',
  read: (github) => readBranchTip(github, 'release/1.x'),
  // The name of the branch contains a slash, which the path has to encode.

  valid: [['the tip of a branch', tip()]],
  malformed: [
    ['a branch with a longer name', tip({ ref: 'refs/heads/release/1.x-fixes' })],
    ['a tag of the same name', tip({ ref: 'refs/tags/release/1.x' })],
    ['a tag object', tip({ object: { type: 'tag', sha: SHA.base } })],
    ['a name instead of a commit id', tip({ object: { type: 'commit', sha: 'HEAD' } })],
  ],
  absent: 'a branch that is gone',
};

const branchRules: Row = {
  reader: 'readBranchRules',
  read: (github) => readBranchRules(github, 'release/1.x'),

  valid: [
    ['no rules', []],
    ['that there are more rules than listed', [], NEXT],
    [
      'rules of any form, with an empty type if there is none',
      [{ type: 'merge_queue', parameters: { any: 1 } }, { type: 'deletion' }, null, { type: 7 }],
    ],
  ],
  malformed: [['no list', {}]],
};

const queue = (mergeQueue: unknown) => ({ data: { repository: { mergeQueue } } });
const strategy = (mergingStrategy: unknown) => queue({ configuration: { mergingStrategy } });
const mergeQueue: Row = {
  reader: 'readMergeQueue by GraphQL',
  read: (github) =>
    readMergeQueue(github, 'release/1.x', ok({ rules: [{ type: 'deletion' }], complete: true })),

  valid: [
    ['a queue that checks every entry', strategy('ALLGREEN')],
    ['a queue that checks the last entry of a group', strategy('HEADGREEN')],
    ['that there is no queue', queue(null)],
  ],
  malformed: [
    ['an unknown strategy', strategy('SOMETHING_NEW')],
    ['no repository', { data: { repository: null } }],
    ['an empty list of errors', { data: { repository: null }, errors: [] }],
    ['an error of the type `NOT_FOUND`', { data: { repository: null }, errors: [{ type: 'NOT_FOUND' }] }],
  ],
};

const reviewers = (...all: object[]) => ({ type: 'required_reviewers', reviewers: all });
const environmentRules: Row = {
  reader: 'readEnvironmentRules',
  read: (github) => readEnvironmentRules(github, 'scan forks'),

  valid: [
    [
      'required reviewers',
      { protection_rules: [reviewers({ type: 'User' })], deployment_branch_policy: null },
    ],
    [
      'limited branches',
      { protection_rules: [{ type: 'wait_timer' }], deployment_branch_policy: { protected_branches: true } },
    ],
    ['a rule without reviewers', { protection_rules: [reviewers()] }],
    [
      'no reviewers in a rule of another type',
      { protection_rules: [{ ...reviewers({ type: 'User' }), type: 'wait_timer' }] },
    ],
    ['an environment without rules', {}],
  ],
  malformed: [['a number', 7]],
  absent: 'that there is no environment',
};

const { absent: _, ...withoutAbsent } = environmentRules;
const deploymentBranches: Row = {
  ...withoutAbsent,
  reader: 'readEnvironmentRules (the branches)',
  first: [[200, { deployment_branch_policy: { custom_branch_policies: true } }]],

  valid: [
    [
      'the patterns of branches',
      { branch_policies: [{ name: 'main' }, { name: 'release/*', type: 'branch' }] },
    ],
    ['that no branch may use it', { branch_policies: [] }],
  ],
  malformed: [['no list', {}]],
};

const PATH = '.github/workflows/scangate.yml';
const content = (text: string) => ({
  encoding: 'base64',
  content: `${Buffer.from(text).toString('base64')}\n`,
});
const MALFORMED_FILES = [
  ['the encoding `none`', { encoding: 'none', content: '' }],
  ['no content', { encoding: 'base64' }],
] as const;

const workflows = {
  read: (github) => readWorkflowFiles(github, SHA.head),
} satisfies Partial<Row>;

const workflowFolder: Row = {
  ...workflows,
  reader: 'readWorkflowFiles (the folder)',

  valid: [
    ['an empty folder', []],
    [
      'a folder without YAML files',
      [
        { type: 'dir', path: `${PATH}.yml` },
        { type: 'file', path: 'notes.md' },
      ],
    ],
  ],
  malformed: [
    ['a file', { type: 'file', path: PATH }],
    ['an entry without a path', [{ type: 'file' }]],
  ],
  absent: 'that there are no workflows',
};

const workflowFile: Row = {
  ...workflows,
  reader: 'readWorkflowFiles (a file)',
  first: [[200, [{ type: 'file', path: PATH }]]],

  valid: [['the text of a file', content('ä')]],
  malformed: MALFORMED_FILES,
};

const foreignWorkflow: Row = {
  reader: 'readForeignWorkflow',
  read: (github) => readForeignWorkflow(github, { repositoryId: 7, path: PATH, ref: 'refs/heads/main' }),

  valid: [['the workflow of another repository', content('on: push')]],
  malformed: MALFORMED_FILES,
};

const foreignWorkflowByDefault: Row = {
  ...foreignWorkflow,
  reader: 'readForeignWorkflow without a ref',
  read: (github) => readForeignWorkflow(github, { repositoryId: 7, path: PATH, ref: undefined }),
};

export const REPOSITORY_READERS: readonly Row[] = [
  repository,
  languages,
  protectedBranch,
  branchTip,
  branchRules,
  mergeQueue,
  environmentRules,
  deploymentBranches,
  workflowFolder,
  workflowFile,
  foreignWorkflow,
  foreignWorkflowByDefault,
];
