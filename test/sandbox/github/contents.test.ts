import { expect, test } from 'vitest';
import { setup } from './fixture.ts';

const ROOT = '/repos/octo-org/demo';

test('GitHub shows the default branch and the visibility of the repository', async () => {
  const { call } = await setup({ visibility: 'private' });
  const body = { full_name: 'Octo-Org/demo', default_branch: 'main', private: true, visibility: 'private' };
  expect(await call('GET', ROOT)).toMatchObject({ status: 200, body });
});

test('GitHub shows the contents of a file at a ref, and answers 404 for a missing path or ref', async () => {
  const { repo, call } = await setup();
  const content = Buffer.from('changed\n').toString('base64');
  for (const path of ['a.txt?ref=topic', `a.txt?ref=${repo.id('t3')}`]) {
    expect(await call('GET', `${ROOT}/contents/${path}`)).toMatchObject({
      status: 200,
      body: { type: 'file', path: 'a.txt', encoding: 'base64', content: `${content}\n` },
    });
  }
  for (const path of ['gone.txt', 'a.txt/deeper', 'a.txt?ref=gone'])
    expect((await call('GET', `${ROOT}/contents/${path}`)).status).toBe(404);
});

test('GitHub shows a branch with the checks that branch protection requires', async () => {
  const requiredChecks = { main: { byRuleset: ['one'], byProtection: ['two'] }, topic: { byRuleset: ['x'] } };
  const { repo, call } = await setup({ requiredChecks });
  expect(await call('GET', `${ROOT}/branches/main`)).toMatchObject({
    status: 200,
    body: {
      commit: { sha: repo.id('main') },
      protected: true,
      protection: { enabled: true, required_status_checks: { contexts: ['two'] } },
    },
  });
  expect(await call('GET', `${ROOT}/branches/topic`)).toMatchObject({
    body: { protected: true, protection: { enabled: false, required_status_checks: { contexts: [] } } },
  });
  expect(await call('GET', `${ROOT}/branches/alone`)).toMatchObject({ body: { protected: false } });
  expect(await call('GET', `${ROOT}/branches/${encodeURIComponent('feature/with/slash')}`)).toMatchObject({
    body: { commit: { sha: repo.id('t1') } },
  });
  expect((await call('GET', `${ROOT}/branches/gone`)).status).toBe(404);
  expect(await call('GET', `${ROOT}/rules/branches/main`)).toMatchObject({
    body: [
      { type: 'deletion' },
      { type: 'required_status_checks', parameters: { required_status_checks: [{ context: 'one' }] } },
    ],
  });
});
