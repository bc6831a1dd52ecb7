import { test } from 'vitest';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { hasRunSince, readWorkflowFiles } from '../../../src/github/workflows.ts';
import type { Reply } from '../../support/answering.ts';
import { SHA } from './client.ts';
import { expectConversations } from './conversation.ts';

const files = (github: GitHubClient) => readWorkflowFiles(github, SHA.head);
const entry = (name: string, type = 'file') => ({ type, path: `.github/workflows/${name}` });
const content = (text: string): Reply => [
  200,
  { encoding: 'base64', content: `${Buffer.from(text).toString('base64')}\n` },
];
const NAMES = Array.from({ length: 31 }, (_, index) => `w${index}.yml`);

const RUN = { path: '.github/workflows/scangate.yml', event: 'pull_request_target', since: '2026-01-02' };
const hasRun = (github: GitHubClient) => hasRunSince(github, RUN);
const runs = (...ids: number[]): Reply => [
  200,
  { workflow_runs: ids.map((id) => ({ id, head_sha: SHA.head, conclusion: null })) },
];
const jobs = (...steps: unknown[]): Reply => [200, { jobs: steps.map((one) => ({ steps: one })) }];

test('at most 30 YAML files of the workflow folder are read, and a run counts only if a job of it began', async () => {
  await expectConversations('workflows', [
    [
      'YAML files among others',
      files,
      [200, [entry('ci.yml'), entry('notes.md'), entry('old', 'dir'), entry('scangate.yaml')]],
      content('the second file'),
      content('the first filä'),
    ],
    ['31 files', files, [200, NAMES.map((name) => entry(name))], ...NAMES.slice(1).map(content)],
    ['a job with steps', hasRun, runs(3, 2), jobs([]), jobs(null, [{ name: 'Set up job' }])],
    ['jobs without steps', hasRun, runs(3, 2), jobs(), jobs([])],
  ]);
});
