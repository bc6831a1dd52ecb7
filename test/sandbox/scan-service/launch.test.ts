import { describe, expect, it } from 'vitest';
import { at, refused, start } from './harness.ts';

const SCANS = '/projects/{project}/scans';
const GUIDANCE = '/projects/{project}/repositories/repo_shop/guidance';
const FULL = { presetRef: 'full-audit', baseCommit: undefined };

describe('a launch', () => {
  it('a launch is queued, and reserves its budget', async () => {
    const { launch, repository, service } = await start();
    await launch({ colour: 'blue' });
    expect(service.scans()).toMatchObject([
      {
        status: 'QUEUED',
        baseCommit: repository.id('base'),
        commit: repository.id('vulnerable'),
        creditBudget: 20,
      },
    ]);
    expect(service.ledger()).toMatchObject({ balance: 980, reserved: 20, spent: 0 });
  });

  it('a launch without a commit and a budget scans the tip of the default branch for the default minimum', async () => {
    const { launch, repository, service } = await start();
    await launch({ ...FULL, commit: undefined, creditBudget: undefined });
    expect(service.scans()[0]?.commit).toBe(repository.id('base'));
    expect(service.ledger().reserved).toBe(10);
  });

  it('an option of the service can rename the members for the repository and the commit of a launch', async () => {
    const { call, launchBody, service } = await start({
      launchFields: { commit: 'revision', repository: 'repo' },
    });
    const { baseCommit, presetRef, commit, repositoryId } = launchBody();
    const renamed = { baseCommit, presetRef, revision: commit, repo: repositoryId };
    expect((await call('POST', SCANS, renamed)).status).toBe(202);
    expect(service.scans()[0]?.commit).toBe(commit);
  });

  it.each([
    ['no guidance if there is none', null, undefined, { applied: null, content: null }],
    ['the stored guidance by default', 'Ours.', undefined, { applied: 'repository', content: 'Ours.' }],
    ['the guidance of its launch instead', 'Ours.', 'Mine.', { applied: 'scan', content: 'Mine.' }],
    ['the guidance of its launch, even if it is empty', 'Ours.', '', { applied: 'scan', content: '' }],
  ])('a scan uses %s', async (_whose, stored, guidance, expected) => {
    const { call, launch, service } = await start();
    await call('PUT', GUIDANCE, { content: stored });
    const scanId = await launch({ guidance });
    // A write of guidance after the launch affects only later scans.
    await call('PUT', GUIDANCE, { content: 'Later.' });
    const { body } = await call('GET', `${SCANS}/${scanId}`);
    expect(at(body, 'scan', 'guidanceApplied')).toBe(expected.applied);
    expect(service.scans()[0]?.guidance).toEqual(expected);
    await launch();
    expect(service.scans()[0]?.guidance).toEqual({ applied: 'repository', content: 'Later.' });
  });
});

describe('a launch that is refused', () => {
  it('a launch for a repository that is marked for deletion is refused: 404', async () => {
    const { call, launchBody, service } = await start();
    service.control.setRepositoryStatus('repo_shop', 'MARKED_FOR_DELETION');
    expect(await call('POST', SCANS, launchBody())).toMatchObject(refused(404, 'not_found'));
    expect(await call('GET', '/projects/{project}/repositories')).toMatchObject({
      body: { repositories: [{ status: 'MARKED_FOR_DELETION' }] },
    });
  });

  it('a launch is refused until the list shows the repository as ready: 409 repository_initializing', async () => {
    const gitDir = (await start()).repository.dir;
    const { call, launchBody } = await start({
      repositories: [{ owner: 'acme', name: 'shop', gitDir, readyAfterListings: 2 }],
    });
    const readiness = async () => {
      const { body } = await call('GET', '/projects/{project}/repositories');
      return at(body, 'repositories', 0, 'readiness');
    };
    expect(await readiness()).toBe('analyzing');
    expect(await call('POST', SCANS, launchBody())).toMatchObject(refused(409, 'repository_initializing'));
    expect([await readiness(), await readiness()]).toEqual(['analyzing', 'ready']);
    expect((await call('POST', SCANS, launchBody())).status).toBe(202);
  });

  it('a launch over the monthly spend limit of the token is refused: 429 with the seconds until the next month', async () => {
    let now = new Date('2024-02-28T23:59:00Z');
    const { call, launch, launchBody, service } = await start({
      clock: { now: () => now },
      tokens: [{ spendLimit: 40 }, {}],
    });
    await launch({ creditBudget: 21 });
    const reply = await call('POST', SCANS, launchBody());
    expect(reply).toMatchObject(refused(429, 'rate_limited'));
    expect(reply.headers.get('retry-after')).toBe(String(24 * 3600 + 60));
    const other = { authorization: `Bearer ${service.tokens[1]?.token}` };
    expect((await call('POST', SCANS, launchBody(), other)).status).toBe(202);
    now = new Date('2024-03-01T00:00:00Z');
    // A cancelled scan does not count.
    await call('POST', `${SCANS}/${await launch({ creditBudget: 40 })}/cancel`);
    expect((await call('POST', SCANS, launchBody())).status).toBe(202);
  });
});
