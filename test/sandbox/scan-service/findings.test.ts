import { expect, it } from 'vitest';
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

it('a diff scan reports only findings on changed lines', async () => {
  const { call, scanId, ids } = await scanned();
  const { body } = await call('GET', `${FINDINGS}?scanId=${scanId}`);
  expect(body).toMatchObject({
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
  expect((await call('GET', `${FINDINGS}/${ids[0]}`)).body).toMatchObject({
    finding: {
      label: `ZK-${ids[0]?.slice(-8)}`,
      description: expect.stringContaining('the parameter x'),
      recommendedFix: expect.stringContaining('JSON.parse'),
      proofOfConcept: null,
    },
  });
});

it('a diff scan has no findings until it is COMPLETED', async () => {
  const { call, launch } = await start();
  const scanId = await launch();
  await call('GET', `/projects/{project}/scans/${scanId}`);
  expect((await call('GET', `${FINDINGS}?scanId=${scanId}`)).body).toMatchObject({ items: [], total: 0 });
});

it('a diff scan of a text file reads no code', async () => {
  const { launch, finish, repository } = await start();
  expect(await finish(await launch({ commit: repository.id('text-only') }))).toMatchObject({
    coverage: { filesRead: 1, codeFilesRead: 0, filesSkipped: 0 },
  });
});

it('a full scan reports the findings of the diff scan, and those of unchanged code', async () => {
  const { launch, finish, service, ids } = await scanned();
  await finish(await launch({ presetRef: 'full-audit', baseCommit: undefined }));
  const [full] = service.scans();
  expect(full?.findingIds).toHaveLength(3);
  expect(full?.findingIds).toEqual(expect.arrayContaining([...ids]));
});

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
  const { call, finish, launch, service } = await start({
    repositories: [{ owner: 'a', name: 'b', gitDir: moved.dir }],
  });
  const scan = async (name: string) => {
    const scanId = await launch({ baseCommit: moved.id('base'), commit: moved.id(name) });
    await finish(scanId);
    return (await call('GET', `${FINDINGS}?scanId=${scanId}`)).body;
  };
  const id = textAt(await scan('one'), 'items', 0, 'id');
  const triage = { resolutionStatus: 'FALSE_POSITIVE', triageStatus: 'REJECTED', confirmationEvidence: null };
  service.control.triage(id, triage);
  service.control.overrideSeverity(id, 'INFO');
  const kept = { id, ...triage, severity: 'INFO', aiSeverity: 'HIGH' };
  expect(await scan('two')).toMatchObject({ total: 1, items: [{ ...kept, startLine: 3 }] });
  expect((await call('GET', FINDINGS)).body).toMatchObject({ total: 1, items: [kept] });
  service.control.overrideSeverity(id, null);
  expect((await call('GET', `${FINDINGS}/${id}`)).body).toMatchObject({ finding: { severity: 'HIGH' } });
  await moved.remove();
});

it('the service refuses a label that two findings share', async () => {
  const { call, ids } = await scanned({ findingId: (hash) => `${hash.slice(0, 10)}-aaaaaaaa` });
  const requests: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '/resolution', { resolutionStatus: 'RESOLVED' }],
    ['POST', '/publish', {}],
    ['POST', '/notes', { content: 'x' }],
    ['POST', '/notes/x/pin', { kind: 'resolution' }],
  ];
  for (const label of ['ZK-aaaaaaaa', 'aaaaaaaa']) {
    for (const [method, path, body] of requests) {
      expect(await call(method, `${FINDINGS}/${label}${path}`, body)).toMatchObject(refused(409, 'conflict'));
    }
  }
  expect((await call('GET', `${FINDINGS}/${ids[1]}`)).status).toBe(200);
});

it('a finding shows only the note as pinned that was pinned last, or came with the last resolution', async () => {
  const { call, ids } = await scanned();
  const finding = `${FINDINGS}/${ids[0]}`;
  const resolve = (more: object) =>
    call('PATCH', `${finding}/resolution`, { resolutionStatus: 'WONT_FIX', ...more });
  const add = async (content: string) =>
    textAt((await call('POST', `${finding}/notes`, { content })).body, 'note', 'noteId');
  const pinned = async () => {
    const notes = at((await call('GET', finding)).body, 'finding', 'notes');
    return (Array.isArray(notes) ? notes : []).map(
      (note) => `${at(note, 'pinned') === true ? '* ' : ''}${at(note, 'content')}`,
    );
  };
  await resolve({ note: { content: 'New.' } });
  expect(await pinned()).toEqual(['* New.']);
  const existingNoteId = await add('Old.');
  expect(await pinned()).toEqual(['* New.', 'Old.']);
  await resolve({ note: { existingNoteId } });
  expect(await pinned()).toEqual(['New.', '* Old.']);
  const third = await add('Third.');
  await call('POST', `${finding}/notes/${third}/pin`, { kind: 'resolution' });
  await resolve({ reason: 'risk_accepted' });
  await resolve({ resolutionStatus: 'IN_PROGRESS' });
  await resolve({ note: { existingNoteId: 'x' } });
  const reason = 'Resolution WONT_FIX: risk_accepted';
  expect(await pinned()).toEqual(['New.', 'Old.', '* Third.', reason]);
});
