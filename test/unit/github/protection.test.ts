import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import {
  readBranchRules,
  requiredChecks,
  requiredWorkflows,
  requireMore,
} from '../../../src/github/branch-rules.ts';
import { readProtectedBranch, readRepository } from '../../../src/github/repository.ts';
import { readForeignWorkflow, readWorkflowFiles } from '../../../src/github/workflow-files.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

const REPOSITORY = '/repos/acme/shop';
const BRANCH = `${REPOSITORY}/branches/main`;

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

test('reads the required status checks and their apps from the rules, and ignores other rules', async () => {
  const checks = (...names: unknown[]) => ({
    type: 'required_status_checks',
    parameters: {
      required_status_checks: names.map((context) =>
        context === 'b' ? { context, integration_id: 15_368 } : { context, integration_id: null },
      ),
    },
  });
  github()
    .get(`${REPOSITORY}/rules/branches/main?per_page=100`)
    .reply(200, [
      checks('a', 'b'),
      { type: 'deletion' },
      null,
      checks(7),
      { type: 'required_status_checks' },
      checks('c'),
    ]);
  const read = await readBranchRules(client(), 'main', NEVER_ABORTED);
  expect(read).toMatchObject({ ok: true, value: { complete: true } });
  expect(read.ok && requiredChecks(read.value.rules)).toEqual([
    { name: 'a', appId: undefined },
    { name: 'b', appId: 15_368 },
    { name: 'c', appId: undefined },
  ]);
});

test('reads the required workflows and their places from the rules', () => {
  const of = (...workflows: unknown[]) => ({ type: 'workflows', parameters: { workflows } });
  const rules = [
    of({ path: 'a.yml', repository_id: 1 }, { path: 'b.yml', repository_id: 2, ref: 'refs/heads/main' }),
    of({ path: 'c.yml', repository_id: 3, ref: 'refs/heads/main', sha: SHA.head }),
  ];
  expect(requiredWorkflows(rules)).toEqual([
    { path: 'a.yml', repositoryId: 1, ref: undefined },
    { path: 'b.yml', repositoryId: 2, ref: 'refs/heads/main' },
    { path: 'c.yml', repositoryId: 3, ref: SHA.head },
  ]);
  expect(requireMore(rules)).toBe(false);
  expect(requireMore([of({ path: 7 })])).toBe(true);
  expect(requiredWorkflows([of({ path: 7 }), { type: 'deletion' }])).toEqual([]);
});

test('reads the repository', async () => {
  github().get(REPOSITORY).reply(200, { id: 7, default_branch: 'trunk', private: false });
  expect(await readRepository(client(), NEVER_ABORTED)).toEqual({
    ok: true,
    value: { id: 7, defaultBranch: 'trunk', isPublic: true },
  });
  github().get(REPOSITORY).reply(200, { default_branch: 'trunk' });
  expect(await readRepository(client(), NEVER_ABORTED)).toEqual({
    ok: true,
    value: { id: undefined, defaultBranch: 'trunk', isPublic: false },
  });
  github().get(REPOSITORY).reply(200, { default_branch: '' });
  expect(await readRepository(client(), NEVER_ABORTED)).toMatchObject({ error: { kind: 'invalid' } });
});

test.each([
  [
    { protected: true, protection: { required_status_checks: { contexts: ['a'] } } },
    true,
    [{ name: 'a', appId: undefined }],
  ],
  [
    {
      protected: true,
      protection: {
        required_status_checks: {
          contexts: ['a', 'b', 'c'],
          checks: [
            { context: 'a', app_id: 15_368 },
            { context: 'b', app_id: null },
            { context: 'c', app_id: -1 },
          ],
        },
      },
    },
    true,
    [
      { name: 'a', appId: 15_368 },
      { name: 'b', appId: undefined },
      { name: 'c', appId: undefined },
    ],
  ],
  [{ protected: false, protection: { required_status_checks: { contexts: [] } } }, false, []],
  [{ protected: true }, true, undefined],
  [{ protected: 'yes', protection: { required_status_checks: null } }, false, undefined],
  [{}, false, undefined],
])('reads the branch %j', async (shown, isProtected, required) => {
  github()
    .get(BRANCH)
    .reply(200, { commit: { sha: SHA.head }, ...shown });
  expect(await readProtectedBranch(client(), 'main', NEVER_ABORTED)).toEqual({
    ok: true,
    value: { sha: SHA.head, isProtected, requiredChecks: required },
  });
});

describe('readWorkflowFiles and readForeignWorkflow', () => {
  const list = `${REPOSITORY}/contents/.github%2Fworkflows?ref=${SHA.head}`;
  const file = (name: string) => `${REPOSITORY}/contents/.github%2Fworkflows%2F${name}?ref=${SHA.head}`;
  const entry = (name: string, type = 'file') => ({ type, path: `.github/workflows/${name}` });
  const content = (text: string) => ({
    encoding: 'base64',
    content: `${Buffer.from(text).toString('base64')}\n`,
  });
  const read = () => readWorkflowFiles(client(), SHA.head, NEVER_ABORTED);

  test('reads the YAML files of the folder', async () => {
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

  test('reads a workflow of another repository by its id, at the commit that the rule names', async () => {
    const path = '.github/workflows/scangate.yml';
    github()
      .get('/repositories/7/contents/.github%2Fworkflows%2Fscangate.yml')
      .query(({ ref }) => ref === 'refs/heads/main')
      .reply(200, content('on: push'));
    const workflow = { repositoryId: 7, path, ref: 'refs/heads/main' };
    expect(await readForeignWorkflow(client(), workflow, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { path, text: 'on: push' },
    });
  });

  test('finds no workflows without the folder', async () => {
    github().get(list).reply(404, { message: 'Not Found' });
    expect(await read()).toEqual({ ok: true, value: { files: [], complete: true } });
  });

  test('returns an error if a file cannot be read', async () => {
    github()
      .get(list)
      .reply(200, [entry('ci.yml')]);
    github().get(file('ci.yml')).reply(403, { message: 'no' });
    expect(await read()).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', permission: 'contents: read' },
    });
  });

  test('reads at most 30 workflow files', async () => {
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
});
