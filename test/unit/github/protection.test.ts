import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { readBranchRules, requiredChecks } from '../../../src/github/branch-rules.ts';
import { readDefaultBranch, readProtectedBranch } from '../../../src/github/repository.ts';
import { readWorkflowFiles } from '../../../src/github/workflow-files.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

const REPOSITORY = '/repos/acme/shop';
const BRANCH = `${REPOSITORY}/branches/main`;

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

test('the rules that require status checks name them; other rules name none', async () => {
  const checks = (...names: unknown[]) => ({
    type: 'required_status_checks',
    parameters: { required_status_checks: names.map((context) => ({ context })) },
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
  expect(read.ok && requiredChecks(read.value.rules)).toEqual(['a', 'b', 'c']);
});

test('the default branch', async () => {
  github().get(REPOSITORY).reply(200, { default_branch: 'trunk' });
  expect(await readDefaultBranch(client(), NEVER_ABORTED)).toEqual({ ok: true, value: 'trunk' });
  github().get(REPOSITORY).reply(200, { default_branch: '' });
  expect(await readDefaultBranch(client(), NEVER_ABORTED)).toMatchObject({ error: { kind: 'nonsense' } });
});

test.each([
  [{ protected: true, protection: { required_status_checks: { contexts: ['a'] } } }, true, ['a']],
  [{ protected: false, protection: { required_status_checks: { contexts: [] } } }, false, []],
  [{ protected: true }, true, undefined],
  [{ protected: 'yes', protection: { required_status_checks: null } }, false, undefined],
  [{}, false, undefined],
])('a branch that shows %j', async (shown, isProtected, required) => {
  github()
    .get(BRANCH)
    .reply(200, { commit: { sha: SHA.head }, ...shown });
  expect(await readProtectedBranch(client(), 'main', NEVER_ABORTED)).toEqual({
    ok: true,
    value: { sha: SHA.head, isProtected, requiredChecks: required },
  });
});

describe('the workflows', () => {
  const list = `${REPOSITORY}/contents/.github%2Fworkflows?ref=${SHA.head}`;
  const file = (name: string) => `${REPOSITORY}/contents/.github%2Fworkflows%2F${name}?ref=${SHA.head}`;
  const entry = (name: string, type = 'file') => ({ type, path: `.github/workflows/${name}` });
  const content = (text: string) => ({
    encoding: 'base64',
    content: `${Buffer.from(text).toString('base64')}\n`,
  });
  const read = () => readWorkflowFiles(client(), SHA.head, NEVER_ABORTED);

  test('are the YAML files of their folder', async () => {
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

  test('are none without the folder', async () => {
    github().get(list).reply(404, { message: 'Not Found' });
    expect(await read()).toEqual({ ok: true, value: { files: [], complete: true } });
  });

  test('are unknown where one cannot be read', async () => {
    github()
      .get(list)
      .reply(200, [entry('ci.yml')]);
    github().get(file('ci.yml')).reply(403, { message: 'no' });
    expect(await read()).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', permission: 'contents: read' },
    });
  });

  test('are read up to 30', async () => {
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
