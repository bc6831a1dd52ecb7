import { test } from 'vitest';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { hasRunSince, readWorkflowFiles } from '../../../src/github/workflows.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { type Reply, SHA } from './client.ts';
import { expectConversations } from './conversation.ts';

const files = (github: GitHubClient) => readWorkflowFiles(github, SHA.head, NEVER_ABORTED);
const entry = (name: string, type = 'file') => ({ type, path: `.github/workflows/${name}` });
<<<<<<< HEAD
const content = (text: string) => ({
  encoding: 'base64',
  content: `${Buffer.from(text).toString('base64')}\n`,
});
const read = () => readWorkflowFiles(client(), SHA.head, NEVER_ABORTED);

afterEach(expectNoAnswerLeft);

test('only YAML files in the workflow folder are read, and a file named after Scangate comes first', async () => {
  github()
    .get(list)
    .reply(200, [entry('ci.yml'), entry('notes.md'), entry('old', 'dir'), entry('scangate.yaml')]);
  github().get(file('ci.yml')).reply(200, content('a'));
  github().get(file('scangate.yaml')).reply(200, content('ä'));
  expect(await read()).toEqual({
    ok: true,
    value: {
      complete: true,
      files: [
        { path: '.github/workflows/scangate.yaml', text: 'ä' },
        { path: '.github/workflows/ci.yml', text: 'a' },
      ],
    },
  });
});

test('at most 30 workflow files are read', async () => {
  const names = Array.from({ length: 31 }, (_, index) => `w${index}.yml`);
  github()
    .get(list)
    .reply(
      200,
      names.map((name) => entry(name)),
    );
  for (const name of names.slice(0, 30)) github().get(file(name)).reply(200, content(name));
  const files = await read();
  expect(files).toMatchObject({ ok: true, value: { complete: false } });
  expect(files.ok && files.value.files).toHaveLength(30);
});

const ACTIONS = '/repos/acme/shop/actions';
const RUNS = `${ACTIONS}/workflows/scangate.yml/runs`;
const RUN = { path: '.github/workflows/scangate.yml', event: 'pull_request_target' };
const runs = (...ids: number[]) => ({
  workflow_runs: ids.map((id) => ({ id, head_sha: SHA.head, conclusion: null })),
});

afterEach(expectNoAnswerLeft);

describe('hasRunSince', () => {
  const has = () => hasRunSince(client(), { ...RUN, since: '2026-01-02' }, NEVER_ABORTED);
  const list = (answer: object) =>
    github().get(`${RUNS}?event=pull_request_target&per_page=5&created=%3E%3D2026-01-02`).reply(200, answer);
  const jobs = (id: number, ...steps: unknown[]) =>
    github()
      .get(`${ACTIONS}/runs/${id}/jobs?per_page=100`)
      .reply(200, { jobs: steps.map((one) => ({ steps: one })) });

  test('hasRunSince returns true for a run with a job that has steps', async () => {
    list(runs(3, 2));
    jobs(3, []);
    jobs(2, null, [{ name: 'Set up job' }]);
    expect(await has()).toEqual({ ok: true, value: true });
  });

  test('hasRunSince returns false if no job began', async () => {
    list(runs(3, 2));
    jobs(3);
    jobs(2, []);
    expect(await has()).toEqual({ ok: true, value: false });
  });
=======
const content = (text: string): Reply => [
  200,
  { encoding: 'base64', content: `${Buffer.from(text).toString('base64')}\n` },
];
const NAMES = Array.from({ length: 31 }, (_, index) => `w${index}.yml`);

const RUN = { path: '.github/workflows/scangate.yml', event: 'pull_request_target', since: '2026-11-02' };
const hasRun = (github: GitHubClient) => hasRunSince(github, RUN, NEVER_ABORTED);
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
>>>>>>> b613886e (test: show what follows each answer of GitHub in golden files)
});
