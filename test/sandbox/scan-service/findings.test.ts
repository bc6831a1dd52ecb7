import { describe, expect, it } from 'vitest';
import { createGitFixture } from '../../../sandbox/git-fixture.ts';
import { at, refused, start, textAt } from './harness.ts';

const FINDINGS = '/projects/{project}/findings';

/** Starts a service with one completed scan of the commit `vulnerable`. Returns the ids of its findings. */
async function scanned(options: Parameters<typeof start>[0] = {}) {
  const harness = await start(options);
  const scanId = await harness.launch();
  await harness.finish(scanId);
  return { ...harness, scanId, ids: harness.service.scans()[0]?.findingIds ?? [] };
}

describe('the findings of a diff scan', () => {
  it('a diff scan reports only findings on changed lines', async () => {
    const { call, scanId } = await scanned();
    const { body } = await call('GET', `${FINDINGS}?scanId=${scanId}`);
    expect(body).toMatchObject({
      page: 1,
      limit: 50,
      total: 2,
      items: [
        {
          title: 'Code evaluated from a variable',
          cwe: 'CWE-95',
          severity: 'HIGH',
          triageStatus: 'CONFIRMED',
          confirmationEvidence: 'ANALYSIS',
          resolutionStatus: 'NOT_STARTED',
          filePath: 'a.js',
          startLine: 3,
          endLine: 3,
        },
        {
          cwe: 'CWE-328',
          severity: 'LOW',
          triageStatus: 'PENDING',
          confirmationEvidence: null,
          filePath: 'b.js',
        },
      ],
    });
    expect(JSON.stringify(at(body, 'items'))).not.toContain('recommendedFix');
  });

  it('a diff scan has no findings until it is COMPLETED', async () => {
    const { call, launch } = await start();
    const scanId = await launch();
    await call('GET', `/projects/{project}/scans/${scanId}`);
    expect((await call('GET', `${FINDINGS}?scanId=${scanId}`)).body).toMatchObject({ items: [], total: 0 });
  });

  it('findings can be listed only for an existing scan', async () => {
    const { call } = await start();
    expect(await call('GET', `${FINDINGS}?scanId=x`)).toMatchObject(refused(404, 'not_found'));
  });

  it('a diff scan of a text file reads no code', async () => {
    const { ids } = await scanned();
    expect(ids).toHaveLength(2);
    const { launch, finish, repository } = await start();
    expect(await finish(await launch({ commit: repository.id('text-only') }))).toMatchObject({
      coverage: { filesRead: 1, codeFilesRead: 0, filesSkipped: 0 },
    });
  });
});

describe('a full scan', () => {
  it('a full scan reports the findings of the diff scan, and those of unchanged code', async () => {
    const { launch, finish, service, ids, repository } = await scanned();
    await finish(
      await launch({ presetRef: 'full-audit', baseCommit: undefined, commit: repository.id('vulnerable') }),
    );
    const [full] = service.scans();
    expect(full?.findingIds).toHaveLength(3);
    expect(full?.findingIds).toEqual(expect.arrayContaining([...ids]));
  });
});

describe('a finding', () => {
  it('a finding keeps its id and its triage in every scan, even if its line moves', async () => {
    const code = 'function f(x) { eval(x); }\n';
    const moved = await createGitFixture({
      bare: true,
      commits: [
        { name: 'base', files: { 'a.js': '' } },
        { name: 'one', files: { 'a.js': code } },
        { name: 'two', files: { 'a.js': `let a;\n\n  ${code}` } },
      ],
    });
    const harness = await start({ repositories: [{ owner: 'a', name: 'b', gitDir: moved.dir }] });
    const scan = async (name: string) => {
      const over = { baseCommit: moved.id('base'), commit: moved.id(name) };
      const scanId = await harness.launch(over);
      await harness.finish(scanId);
      return (await harness.call('GET', `${FINDINGS}?scanId=${scanId}`)).body;
    };
    const first = await scan('one');
    const id = textAt(first, 'items', 0, 'id');
    harness.service.control.triage(id, {
      resolutionStatus: 'FALSE_POSITIVE',
      triageStatus: 'REJECTED',
      confirmationEvidence: null,
    });
    harness.service.control.overrideSeverity(id, 'INFO');
    const kept = {
      id,
      resolutionStatus: 'FALSE_POSITIVE',
      triageStatus: 'REJECTED',
      severity: 'INFO',
      aiSeverity: 'HIGH',
    };
    expect(await scan('two')).toMatchObject({ total: 1, items: [{ ...kept, startLine: 3 }] });
    expect((await harness.call('GET', FINDINGS)).body).toMatchObject({ total: 1, items: [kept] });
    harness.service.control.overrideSeverity(id, null);
    expect((await harness.call('GET', `${FINDINGS}/${id}`)).body).toMatchObject({
      finding: { severity: 'HIGH' },
    });
    await moved.remove();
  });

  it('a finding can be read by its full id, by its label, and by its label without the prefix', async () => {
    const { call, ids } = await scanned();
    const [id = ''] = ids;
    for (const segment of [id, `ZK-${id.slice(-8)}`, id.slice(-8)]) {
      expect(await call('GET', `${FINDINGS}/${segment}`)).toMatchObject({
        status: 200,
        body: {
          finding: {
            id,
            label: `ZK-${id.slice(-8)}`,
            description: expect.stringContaining('the parameter x'),
            recommendedFix: expect.stringContaining('JSON.parse'),
            proofOfConcept: null,
            notes: [],
          },
        },
      });
    }
    for (const segment of ['ZK-', id.slice(0, 8), 'ZK-nothing', `zk-${id.slice(-8)}`]) {
      expect(await call('GET', `${FINDINGS}/${segment}`)).toMatchObject(refused(404, 'not_found'));
    }
  });

  it('the service refuses a label that two findings share', async () => {
    const { call, ids } = await scanned({ findingId: (hash) => `${hash.slice(0, 10)}-aaaaaaaa` });
    for (const label of ['ZK-aaaaaaaa', 'aaaaaaaa']) {
      expect(await call('GET', `${FINDINGS}/${label}`)).toMatchObject(refused(409, 'conflict'));
      const change = { resolutionStatus: 'RESOLVED' };
      expect(await call('PATCH', `${FINDINGS}/${label}/resolution`, change)).toMatchObject(
        refused(409, 'conflict'),
      );
      expect(await call('POST', `${FINDINGS}/${label}/publish`, {})).toMatchObject(refused(409, 'conflict'));
    }
    expect((await call('GET', `${FINDINGS}/${ids[1]}`)).status).toBe(200);
  });
});

describe('paging', () => {
  it('paging lists every finding exactly once', async () => {
    const lines = Array.from({ length: 230 }, (_, index) => `eval(v${index});`).join('\n');
    const many = await createGitFixture({
      commits: [{ name: 'base' }, { name: 'head', files: { 'a.js': lines } }],
      bare: true,
    });
    const { call, launch, finish } = await start({
      repositories: [{ owner: 'a', name: 'b', gitDir: many.dir }],
    });
    const scanId = await launch({ baseCommit: many.id('base'), commit: many.id('head') });
    await finish(scanId);
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const { body } = await call('GET', `${FINDINGS}?scanId=${scanId}&page=${page}&limit=100`);
      expect(body).toMatchObject({ page, limit: 100, total: 230 });
      const items = at(body, 'items');
      seen.push(...(Array.isArray(items) ? items.map((item) => textAt(item, 'id')) : []));
    }
    expect(new Set(seen).size).toBe(230);
    await many.remove();
  });
});

describe('changing a resolution', () => {
  it('after a change of the status of a finding, the answers show the new status', async () => {
    const { call, ids, scanId } = await scanned();
    const body = { resolutionStatus: 'WONT_FIX', reason: 'risk_accepted' };
    expect(await call('PATCH', `${FINDINGS}/${ids[0]}/resolution`, body)).toMatchObject({
      status: 200,
      body: { findingId: ids[0], resolutionStatus: 'WONT_FIX' },
    });
    expect((await call('GET', `${FINDINGS}?scanId=${scanId}`)).body).toMatchObject({
      items: [{ resolutionStatus: 'WONT_FIX' }, {}],
    });
    expect((await call('GET', `${FINDINGS}/${ids[0]}`)).body).toMatchObject({
      finding: { notes: [{ content: expect.stringContaining('risk_accepted') }] },
    });
  });

  it('the service refuses a wrong change of a status', async () => {
    const { call, ids } = await scanned();
    const patch = (body: object) => call('PATCH', `${FINDINGS}/${ids[0]}/resolution`, body);
    for (const wrong of [
      {},
      { resolutionStatus: 'DONE' },
      { resolutionStatus: 'constructor' },
      { resolutionStatus: 'RESOLVED', reason: 'risk_accepted' },
      { resolutionStatus: 'RESOLVED', reason: 7 },
      { resolutionStatus: 'RESOLVED', reason: null },
      { resolutionStatus: 'RESOLVED', note: { content: '' } },
      { resolutionStatus: 'RESOLVED', note: 'x' },
    ]) {
      expect(await patch(wrong)).toMatchObject(refused(400, 'bad_request'));
    }
    expect((await call('GET', `${FINDINGS}/${ids[0]}`)).body).toMatchObject({
      finding: { resolutionStatus: 'NOT_STARTED', notes: [] },
    });
    for (const reason of ['anything', 7, null]) {
      expect((await patch({ resolutionStatus: 'IN_PROGRESS', reason })).status).toBe(200);
    }
    const body = { resolutionStatus: 'RESOLVED', reason: 'risk_accepted', note: { content: 'Fixed.' } };
    expect((await patch(body)).status).toBe(200);
    const detail = (await call('GET', `${FINDINGS}/${ids[0]}`)).body;
    expect(at(detail, 'finding', 'notes')).toMatchObject([{ content: 'Fixed.' }]);
    const existingNoteId = textAt(detail, 'finding', 'notes', 0, 'noteId');
    expect((await patch({ resolutionStatus: 'MITIGATED', note: { existingNoteId } })).status).toBe(200);
    const unknown = { resolutionStatus: 'MITIGATED', note: { existingNoteId: 'x' } };
    expect(await patch(unknown)).toMatchObject(refused(404, 'not_found'));
  });
});
