import { describe, expect, it } from 'vitest';
import type { ScanServiceOptions } from '../../../sandbox/scan-service/options.ts';
import { type Harness, type Reply, refused, start } from './harness.ts';

const SCANS = '/projects/{project}/scans';

async function launching(
  over: (harness: Harness) => Record<string, unknown>,
  options: Partial<ScanServiceOptions> = {},
): Promise<Reply & { harness: Harness }> {
  const harness = await start(options);
  return { ...(await harness.call('POST', SCANS, harness.launchBody(over(harness)))), harness };
}

describe('a launch', () => {
  it('a launch is accepted with 202, is queued, and reserves its budget', async () => {
    const { harness, ...reply } = await launching(() => ({}));
    expect(reply).toMatchObject({ status: 202, body: { status: 'QUEUED' } });
    expect(harness.service.scans()).toMatchObject([
      {
        status: 'QUEUED',
        baseCommit: harness.repository.id('base'),
        commit: harness.repository.id('vulnerable'),
        creditBudget: 20,
      },
    ]);
    expect(harness.service.ledger()).toMatchObject({ balance: 980, reserved: 20, spent: 0 });
  });

  it('a launch without a commit scans the tip of the default branch', async () => {
    const { status, harness } = await launching(() => ({
      presetRef: 'full-audit',
      baseCommit: null,
      commit: undefined,
    }));
    expect(status).toBe(202);
    expect(harness.service.scans()[0]?.commit).toBe(harness.repository.id('base'));
  });

  it('a launch ignores unknown members', async () => {
    expect((await launching(() => ({ colour: 'blue' }))).status).toBe(202);
  });

  it('an option of the service can rename the members for the repository and the commit of a launch', async () => {
    const { harness } = await launching(() => ({ commit: undefined }), {
      launchFields: { commit: 'revision', repository: 'repo' },
    });
    const { baseCommit, presetRef, commit, repositoryId } = harness.launchBody();
    const renamed = { baseCommit, presetRef, revision: commit, repo: repositoryId };
    expect((await harness.call('POST', SCANS, renamed)).status).toBe(202);
    expect(harness.service.scans()[0]?.commit).toBe(commit);
  });
});

describe('a launch that is refused', () => {
  const diff400: readonly [string, string, (harness: Harness) => Record<string, unknown>][] = [
    ['an unknown preset', 'bad_request', () => ({ presetRef: 'nothing' })],
    ['no preset', 'bad_request', () => ({ presetRef: undefined })],
    ['a budget below the preset’s minimum', 'bad_request', () => ({ creditBudget: 19 })],
    [
      'a budget below the default minimum',
      'bad_request',
      () => ({ presetRef: 'full-audit', creditBudget: 9 }),
    ],
    ['a fractional budget', 'bad_request', () => ({ creditBudget: 20.5 })],
    ['a budget that is a string', 'bad_request', () => ({ creditBudget: '20' })],
    ['a budget that is null', 'bad_request', () => ({ creditBudget: null })],
    ['no repository', 'bad_request', () => ({ repositoryId: undefined })],
    ['a commit that is a branch name', 'bad_request', () => ({ commit: 'main' })],
    ['an unknown commit', 'bad_request', () => ({ commit: '1'.repeat(40) })],
    ['guidance that is too long', 'bad_request', () => ({ guidance: 'x'.repeat(100_001) })],
    ['an unknown audit area', 'bad_request', () => ({ auditAreaKeys: ['payments'] })],
    ['audit areas that are null', 'bad_request', () => ({ auditAreaKeys: null })],
    ['an audit area that is null', 'bad_request', () => ({ auditAreaKeys: [null] })],
    ['a diff preset but no base', 'diff_base_required', () => ({ baseCommit: undefined })],
    ['a base for a full preset', 'diff_base_not_allowed', () => ({ presetRef: 'full-audit' })],
    ['a base that is a branch name', 'diff_base_invalid', () => ({ baseCommit: 'main' })],
    [
      'an abbreviated base',
      'diff_base_invalid',
      ({ repository }) => ({ baseCommit: repository.id('base').slice(0, 12) }),
    ],
    ['a base that is an option of git', 'diff_base_invalid', () => ({ baseCommit: '--output=/tmp/x' })],
    ['an unknown base', 'diff_base_invalid', () => ({ baseCommit: '1'.repeat(40) })],
  ];

  it.each(diff400)('a launch with %s is refused, and reserves nothing: 400 %s', async (_what, code, over) => {
    const { harness, ...reply } = await launching(over);
    expect(reply).toMatchObject(refused(400, code));
    expect(harness.service.ledger()).toMatchObject({ balance: 1000, reserved: 0 });
    expect(harness.service.scans()).toEqual([]);
  });

  it('a launch with a base that is a tree is refused: 400 diff_base_invalid', async () => {
    const harness = await start();
    const baseCommit = await harness.repository.git('rev-parse', 'main^{tree}');
    const reply = await harness.call('POST', SCANS, harness.launchBody({ baseCommit }));
    expect(reply).toMatchObject(refused(400, 'diff_base_invalid'));
  });

  it.each(['base', 'same-as-base'])(
    'a launch is refused with 422 diff_empty if its commit has the same files as the base: commit `%s`',
    async (name) => {
      const { harness, ...reply } = await launching(({ repository }) => ({ commit: repository.id(name) }));
      expect(reply).toMatchObject(refused(422, 'diff_empty'));
      expect(harness.service.ledger().reserved).toBe(0);
    },
  );

  it('a launch for an unknown repository, or for one marked for deletion, is refused: 404', async () => {
    expect(await launching(() => ({ repositoryId: 'repo_nothing' }))).toMatchObject(
      refused(404, 'not_found'),
    );
    const harness = await start();
    harness.service.control.setRepositoryStatus('repo_shop', 'MARKED_FOR_DELETION');
    expect(await harness.call('POST', SCANS, harness.launchBody())).toMatchObject(refused(404, 'not_found'));
    expect(await harness.call('GET', '/projects/{project}/repositories')).toMatchObject({
      body: { repositories: [{ status: 'MARKED_FOR_DELETION' }] },
    });
  });

  it('a launch is refused until the list shows the repository as ready: 409 repository_initializing', async () => {
    const first = await start();
    const { call, launchBody } = await start({
      repositories: [{ owner: 'acme', name: 'shop', gitDir: first.repository.dir, readyAfterListings: 2 }],
    });
    const readiness = async () => (await call('GET', '/projects/{project}/repositories')).body;
    expect(await readiness()).toMatchObject({ repositories: [{ readiness: 'analyzing' }] });
    expect(await call('POST', SCANS, launchBody())).toMatchObject(refused(409, 'repository_initializing'));
    expect(await readiness()).toMatchObject({ repositories: [{ readiness: 'analyzing' }] });
    expect(await readiness()).toMatchObject({ repositories: [{ readiness: 'ready' }] });
    expect((await call('POST', SCANS, launchBody())).status).toBe(202);
  });

  it('a launch is refused if the unreserved credits do not cover the budget: 402', async () => {
    const harness = await start({ credits: 50 });
    await harness.launch({ creditBudget: 31 });
    const reply = await harness.call('POST', SCANS, harness.launchBody());
    expect(reply).toMatchObject(refused(402, 'insufficient_credits'));
    expect(harness.service.ledger()).toMatchObject({ balance: 19, reserved: 31 });
  });

  it('two of three concurrent launches are refused if the credits cover only one budget: 402', async () => {
    const harness = await start({ credits: 30 });
    const replies = await Promise.all([1, 2, 3].map(() => harness.call('POST', SCANS, harness.launchBody())));
    expect(replies.map((reply) => reply.status).sort()).toEqual([202, 402, 402]);
    expect(harness.service.ledger().balance).toBe(10);
  });

  it('a launch over the monthly spend limit of the token is refused: 429 with the seconds until the next month', async () => {
    let now = new Date('2024-02-28T23:59:00Z');
    const harness = await start({ clock: { now: () => now }, tokens: [{ spendLimit: 40 }, {}] });
    await harness.launch({ creditBudget: 21 });
    const reply = await harness.call('POST', SCANS, harness.launchBody());
    expect(reply).toMatchObject(refused(429, 'rate_limited'));
    expect(reply.headers.get('retry-after')).toBe(String(24 * 3600 + 60));
    const other = { authorization: `Bearer ${harness.service.tokens[1]?.token}` };
    expect((await harness.call('POST', SCANS, harness.launchBody(), other)).status).toBe(202);
    now = new Date('2024-03-01T00:00:00Z');
    expect((await harness.call('POST', SCANS, harness.launchBody())).status).toBe(202);
  });

  it('a cancelled scan does not count towards the spend limit of the token', async () => {
    const harness = await start({ tokens: [{ spendLimit: 30 }] });
    const scanId = await harness.launch();
    await harness.call('POST', `${SCANS}/${scanId}/cancel`);
    expect((await harness.call('POST', SCANS, harness.launchBody())).status).toBe(202);
  });
});

describe('the presets', () => {
  it('the presets include the diff preset and the full preset', async () => {
    const { call } = await start();
    expect(await call('GET', '/projects/{project}/scan-presets')).toMatchObject({
      status: 200,
      body: {
        presets: [
          { ref: 'diff-review', name: 'Diff review', minCredits: 20, modelTier: 'fake' },
          { ref: 'full-audit', name: 'Full audit', minCredits: 0, modelTier: 'fake' },
        ],
      },
    });
  });

  it('a launch without a budget reserves the default minimum if the preset’s minCredits is 0', async () => {
    const harness = await start({ defaultFloor: 7 });
    await harness.launch({ presetRef: 'full-audit', baseCommit: undefined, creditBudget: undefined });
    expect(harness.service.ledger().reserved).toBe(7);
  });
});
