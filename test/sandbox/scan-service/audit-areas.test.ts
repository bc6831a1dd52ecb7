import { describe, expect, it, onTestFinished } from 'vitest';
import { createGitFixture, type FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { type SharedRepository, sharedRepository } from '../../support/shared-repository.ts';
import { at, refused, start, textAt } from './harness.ts';

const AREAS = '/projects/{project}/repositories/repo_shop/audit-areas';
const VULNERABLE_CODE = 'eval(code);\n';

const TREE: FixtureDescription = {
  commits: [
    { name: 'start', files: { 'README.md': 'Shop\n' } },
    {
      name: 'shop',
      files: {
        'src/orders/list.js': `let a;\nlet b;\n${VULNERABLE_CODE}`,
        'src/orders/picture.png': Buffer.from([0, 1, 2, 10, 10]),
        'src/main.js': VULNERABLE_CODE,
        'packages/till/src/pay.js': `${VULNERABLE_CODE}${VULNERABLE_CODE}let last;`,
        'docs/a/b.md': 'one\ntwo\n',
      },
    },
    { name: 'smaller', files: { 'packages/till/src/pay.js': null, 'src/orders/list.js': VULNERABLE_CODE } },
  ],
  branches: { main: 'shop', next: 'smaller', old: 'start' },
};

async function withTree(own?: SharedRepository) {
  const tree = own ?? (await sharedRepository(TREE));
  const harness = await start({ repositories: [{ owner: 'acme', name: 'shop', gitDir: tree.dir }] });
  const audit = async (commit: string, over: Record<string, unknown> = {}) => {
    const full = { presetRef: 'full-audit', baseCommit: undefined, commit: tree.id(commit), ...over };
    const scanId = await harness.launch(full);
    await harness.finish(scanId);
    return scanId;
  };
  const list = async (query = '') => (await harness.call('GET', `${AREAS}${query}`)).body;
  const create = (name: unknown, description?: unknown) => harness.call('POST', AREAS, { name, description });
  return { ...harness, tree, audit, list, create };
}

function keys(list: unknown): unknown[] {
  const areas = at(list, 'areas');
  return Array.isArray(areas) ? areas.map((area) => at(area, 'key')) : [];
}

/** The number of files and lines in these paths of a commit, as git counts them. */
async function counted(tree: SharedRepository, commit: string, ...paths: string[]) {
  const empty = await tree.git('hash-object', '-t', 'tree', '/dev/null');
  const rows = (await tree.git('diff', '--numstat', empty, tree.id(commit), '--', ...paths)).split('\n');
  const lines = rows.reduce((sum, row) => sum + (Number(row.split('\t')[0]) || 0), 0);
  return { files: rows.length, lines };
}

describe('the map of a repository', () => {
  it('a scan of the newest commit of a branch creates the map of the repository', async () => {
    const { audit, list, tree } = await withTree();
    expect(await list()).toEqual({
      repositoryId: 'repo_shop',
      branch: 'main',
      mapped: false,
      totalFiles: null,
      totalLines: null,
      areas: [],
    });
    await audit('shop');
    const till = await counted(tree, 'shop', 'packages/till');
    const orders = await counted(tree, 'shop', 'src/orders');
    const total = await counted(tree, 'shop');
    const body = await list();
    expect(body).toMatchObject({ branch: 'main', mapped: true, totalFiles: 6, totalLines: 10 });
    expect(body).toMatchObject({ totalFiles: total.files, totalLines: total.lines });
    const discovered = { source: 'discovered', inLatestMap: true, description: expect.any(String) };
    // The area with the most lines comes first.
    expect(at(body, 'areas')).toEqual([
      { key: 'src-orders', name: 'src/orders', ...discovered, ...orders },
      { key: 'packages-till', name: 'packages/till', ...discovered, ...till },
      { key: 'docs', name: 'docs', ...discovered, files: 1, lines: 2 },
      { key: 'src', name: 'src', ...discovered, files: 1, lines: 1 },
      { key: 'top-level', name: 'Top level', ...discovered, files: 1, lines: 1 },
    ]);
  });

  it('the list of audit areas ends with the areas that are missing from the newest map', async () => {
    const own = await createGitFixture(TREE);
    onTestFinished(own.remove);
    const { audit, list, tree } = await withTree(own);
    await audit('shop');
    await tree.git('update-ref', 'refs/heads/main', tree.id('smaller'));
    await audit('smaller');
    const body = await list();
    expect(keys(body)).toEqual(['docs', 'src-orders', 'src', 'top-level', 'packages-till']);
    expect(at(body, 'areas', 4)).toMatchObject({ inLatestMap: false, files: null, lines: null });
    expect(at(body, 'areas', 1)).toMatchObject({ inLatestMap: true, files: 2, lines: 1 });
    expect(at(await list('?branch=next'), 'mapped')).toBe(true);
  });

  it('a failed scan stores no map', async () => {
    const { launch, finish, list, service, tree } = await withTree();
    service.control.fail('next');
    await finish(await launch({ presetRef: 'full-audit', baseCommit: undefined, commit: tree.id('shop') }));
    expect(await list()).toMatchObject({ mapped: false, areas: [] });
  });

  it('the list of audit areas names no branch if the repository has no default branch', async () => {
    const { repository } = await start();
    const { call } = await start({
      repositories: [{ owner: 'acme', name: 'shop', gitDir: repository.dir, defaultBranch: null }],
    });
    expect((await call('GET', AREAS)).body).toMatchObject({ branch: null, mapped: false });
    expect(await call('GET', `${AREAS}?branch=`)).toMatchObject(refused(400, 'bad_request'));
  });
});

describe('a custom area', () => {
  it('a custom audit area gets its key from its name', async () => {
    const { create, list, audit } = await withTree();
    await audit('shop');
    const area = { key: 'paying-at-the-till', name: 'Paying at the till', description: 'Takes money.' };
    const custom = { ...area, source: 'custom', inLatestMap: false, files: null, lines: null };
    const reply = await create(' Paying at the till ', 'Takes money.');
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 201, body: { area: custom } });
    expect(at(await list(), 'areas', 5)).toEqual(custom);
    await create('Unheard of');
    await audit('shop');
    const body = await list();
    expect(keys(body)).toEqual([
      'src-orders',
      'packages-till',
      'paying-at-the-till',
      'docs',
      'src',
      'top-level',
      'unheard-of',
    ]);
    expect(at(body, 'areas', 2)).toEqual({ ...custom, inLatestMap: true, files: 1, lines: 3 });
    expect(at(body, 'areas', 6)).toMatchObject({ description: null, inLatestMap: false, files: null });
  });

  it('audit areas with similar names get different keys', async () => {
    const { create, audit, list } = await withTree();
    await create('Docs!');
    const key = async (name: string) => textAt((await create(name)).body, 'area', 'key');
    expect(await key('Dócs?')).toBe('docs-2');
    expect(await key('docs')).toBe('docs-3');
    expect(await key('支払い')).toBe('area');
    expect(await key('返品')).toBe('area-2');
    await audit('shop');
    expect(keys(await list())).toContain('docs-4');
    expect(new Set(keys(await list())).size).toBe(keys(await list()).length);
  });

  it('a new custom audit area gets 409 if another custom area has the same name', async () => {
    const { create, audit } = await withTree();
    await audit('shop');
    expect((await create('Payments')).status).toBe(201);
    expect(await create(' payments')).toMatchObject(refused(409, 'conflict'));
    // A custom area may have the name of a discovered one.
    expect((await create('docs')).body).toMatchObject({ area: { key: 'docs-2', source: 'custom' } });
  });
});

describe('a scan of audit areas', () => {
  const paths = async (harness: Awaited<ReturnType<typeof withTree>>, scanId: string) => {
    const { body } = await harness.call('GET', `/projects/{project}/findings?scanId=${scanId}`);
    const items = at(body, 'items');
    return Array.isArray(items) ? items.map((item) => at(item, 'filePath')) : [];
  };

  it('a scan of audit areas reports only findings in these areas', async () => {
    const harness = await withTree();
    const { audit, create, tree } = harness;
    const everything = await audit('shop');
    expect(await paths(harness, everything)).toHaveLength(4);
    await create('Tills');
    for (const kind of [{}, { presetRef: 'diff-review', baseCommit: tree.id('start') }]) {
      const till = ['packages/till/src/pay.js', 'packages/till/src/pay.js'];
      expect(await paths(harness, await audit('shop', { ...kind, auditAreaKeys: ['src'] }))).toEqual([
        'src/main.js',
      ]);
      expect(await paths(harness, await audit('shop', { ...kind, auditAreaKeys: ['tills'] }))).toEqual(till);
      const both = await audit('shop', { ...kind, auditAreaKeys: ['packages-till', 'tills', 'src'] });
      expect(await paths(harness, both)).toEqual([...till, 'src/main.js']);
      expect(await paths(harness, await audit('shop', { ...kind, auditAreaKeys: ['docs'] }))).toEqual([]);
      expect(await paths(harness, await audit('shop', { ...kind, auditAreaKeys: [] }))).toHaveLength(4);
    }
  });

  it('a scan of a custom audit area searches the files that match its name or description', async () => {
    const harness = await withTree();
    const { create, audit } = harness;
    expect(await create('Money', 'What is taken in the till.')).toMatchObject({ status: 201 });
    const scanId = await audit('shop', { presetRef: 'full-audit', auditAreaKeys: ['money'] });
    expect(await paths(harness, scanId)).toHaveLength(2);
  });
});
