import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createState } from '../../../sandbox/scan-service/create-state.ts';
import type { FakeScanService } from '../../../sandbox/scan-service/server.ts';
import type { FindingRecord } from '../../../sandbox/scan-service/state.ts';
import { createSaver } from '../../../sandbox/scan-service/store/store.ts';
import { at } from '../play.ts';
import { FULL } from './fact.ts';
import { type Harness, type Options, refused, start, textAt } from './harness.ts';

const REPOSITORY = 'repositories/repo_shop';
const DATABASE = 'scan-service.sqlite';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'scangate-data-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Copies the folder as it is now. If the process were killed now, exactly these files would remain. */
function copyOf(dataFolder: string): string {
  const copy = folder();
  cpSync(dataFolder, copy, { recursive: true });
  return copy;
}

/** Starts a service on this folder. All services in this file have the same repository and clock. */
async function startOn(dataFolder: string, options: Options = {}): Promise<Harness> {
  return start({ clock: { now: () => new Date('2024-05-01T10:00:00Z') }, dataFolder, ...options });
}

/** Everything that a client can read of a service. Running scans are left out, because a read would advance them. */
async function picture({ call, service }: Harness): Promise<unknown> {
  const ended = service.scans().filter(({ status }) => /^(?:COMPLETED|CANCELLED)$/.test(status));
  const paths = [
    '/token',
    'repositories',
    `${REPOSITORY}/guidance`,
    `${REPOSITORY}/audit-areas`,
    'scans',
    'findings?limit=100',
    ...ended.map(({ id }) => `scans/${id}`),
    ...new Set(ended.flatMap(({ findingIds }) => findingIds.map((id) => `findings/${id}`))),
  ];
  const answers = paths.map(async (path) => (await call('GET', path)).body);
  return [service.tokens, service.scans(), service.ledger(), await Promise.all(answers)];
}

/** Sends requests one by one, until the service has stored every kind of data. */
async function* history({ call, launch, launchBody, repository, service }: Harness): AsyncGenerator<string> {
  await call('PUT', `${REPOSITORY}/guidance`, { content: 'One.' });
  yield 'guidance';
  await call('PUT', `${REPOSITORY}/guidance`, { content: null, expectedContent: 'One.' });
  yield 'guidance cleared';
  for (const name of ['Payments', 'Payments!', 'A b']) {
    await call('POST', `${REPOSITORY}/audit-areas`, { name, description: 'Text.' });
  }
  await call('DELETE', `${REPOSITORY}/audit-areas/payments`);
  yield 'areas';
  const scanId = await launch({ auditAreaKeys: ['a-b'], guidance: 'Mine.', creditBudget: 100 });
  yield 'a scoped scan, queued';
  await call('GET', `scans/${scanId}`);
  yield 'a scan that runs';
  await call('POST', `scans/${scanId}/cancel`);
  yield 'cancelled';
  await call('POST', 'scans', launchBody({ creditBudget: 5 }));
  yield 'a refusal';
  const second = await launch();
  for (let reads = 0; reads < 2; reads += 1) await call('GET', `scans/${second}`);
  yield 'completed';
  const full = await launch({ ...FULL, commit: repository.id('base') });
  for (let reads = 0; reads < 2; reads += 1) await call('GET', `scans/${full}`);
  yield 'a map of the default branch';
  const [first, other = ''] = service.scans()[1]?.findingIds ?? [];
  const { body } = await call('POST', `findings/${first}/notes`, { content: '**Note** \u{1F511}' });
  await call('POST', `findings/${first}/notes/${textAt(body, 'note.noteId')}/pin`, { kind: 'resolution' });
  await call('PATCH', `findings/${first}/resolution`, {
    resolutionStatus: 'WONT_FIX',
    reason: 'risk_accepted',
  });
  yield 'notes and triage';
  service.control.overrideSeverity(other, 'CRITICAL');
  yield 'what was done in the service’s app';
  await call('POST', `findings/${first}/publish`, { withPassword: true });
  await call('POST', `scans/${second}/publish`, {});
  yield 'publications';
}

test('after every answer, the data folder has the whole state of the service', async () => {
  const dataFolder = folder();
  const first = await startOn(dataFolder);
  const seen: string[] = [];
  for await (const what of history(first)) {
    const second = await startOn(copyOf(dataFolder), { tokens: [{ scopes: ['read'] }], credits: 7 });
    expect(await picture(second), what).toEqual(await picture(first));
    await second.service.close();
    seen.push(what);
  }
  expect(seen).toHaveLength(12);
});

test('after a restart, the service continues unfinished scans in the same phase', async () => {
  const dataFolder = folder();
  const first = await startOn(dataFolder);
  await first.call('POST', `${REPOSITORY}/audit-areas`, { name: 'Notes' });
  const running = await first.launch({ creditBudget: 100 });
  expect(at((await first.call('GET', `scans/${running}`)).body, 'scan.status')).toBe('RUNNING');
  const scoped = await first.launch({ auditAreaKeys: ['notes'] });
  await first.service.close();
  const { call, finish, service } = await startOn(dataFolder);
  expect(at((await call('GET', `scans/${running}`)).body, 'scan.status')).toBe('COMPLETED');
  expect(await finish(running)).toMatchObject({ creditsSpent: 100 });
  expect(await finish(scoped)).toMatchObject({ status: 'COMPLETED', auditAreaKeys: ['notes'] });
  expect(service.scans().map((scan) => scan.findingIds.length)).toEqual([0, 2]);
  // The scan of the audit area spends only 12 of its 20 reserved credits, because the area has no code to analyze.
  expect(service.ledger()).toMatchObject({ balance: 888, reserved: 0, spent: 112 });
});

test('a data folder keeps the rights, the spending and the revocation of each token', async () => {
  const dataFolder = folder();
  const tokens = [{ spendLimit: 30 }, {}, { requestCeiling: { requests: 2, windowSeconds: 60 } }];
  const first = await startOn(dataFolder, { tokens });
  await first.launch();
  first.service.control.revokeToken(first.service.tokens[1]?.token ?? '');
  const as = ({ call, service }: Harness, index: number) =>
    call('GET', '/token', undefined, { authorization: `Bearer ${service.tokens[index]?.token}` });
  await as(first, 2);
  await first.service.close();
  const second = await startOn(dataFolder);
  expect(second.service.tokens).toEqual(first.service.tokens);
  expect(await second.call('POST', 'scans', second.launchBody())).toMatchObject(refused(429, 'rate_limited'));
  expect(await as(second, 1)).toMatchObject(refused(401, 'unauthorized'));
  expect((await as(second, 2)).status).toBe(200);
  expect(await as(second, 2)).toMatchObject(refused(429, 'rate_limited'));
});

test('a data folder keeps published pages, their passwords and the number of wrong passwords', async () => {
  const dataFolder = folder();
  const first = await startOn(dataFolder);
  const scanId = await first.launch();
  await first.finish(scanId);
  const { body } = await first.call('POST', `scans/${scanId}/publish`, { withPassword: true });
  const give = async ({ origin }: FakeScanService, password: string) => {
    const form = { method: 'POST', body: new URLSearchParams({ password }) };
    return (await fetch(`${origin}/public/scans/${textAt(body, 'publicId')}`, form)).status;
  };
  for (let tries = 0; tries < 4; tries += 1) await give(first.service, 'wrong');
  await first.service.close();
  const { service } = await startOn(dataFolder);
  expect(await give(service, textAt(body, 'accessPassword'))).toBe(200);
  expect(await give(service, 'wrong')).toBe(403);
  expect(await give(service, textAt(body, 'accessPassword'))).toBe(429);
});

test('a data folder keeps the scans of a repository even if the next start does not name the repository', async () => {
  const dataFolder = folder();
  const first = await startOn(dataFolder);
  const scanId = await first.launch();
  await first.finish(scanId);
  await first.service.close();
  const second = await startOn(dataFolder, { repositories: [{ name: 'till' }] });
  expect(second.service.repositories.map((one) => one.name)).toEqual(['till', 'shop']);
  expect(at((await second.call('GET', `findings?scanId=${scanId}`)).body, 'total')).toBe(2);
});

test('a new data folder gets a new token, and is private; its files are private even if the folder is not', async () => {
  const { service } = await start();
  const dataFolder = join(folder(), 'made for it');
  const first = await startOn(dataFolder);
  expect(first.service.token).not.toBe(service.token);
  const isPrivate = (path: string) => (statSync(path).mode & 0o077) === 0;
  expect(isPrivate(dataFolder)).toBe(true);
  const open = folder();
  chmodSync(open, 0o755);
  const { launch } = await startOn(open);
  await launch();
  expect(readdirSync(open).filter((file) => !isPrivate(join(open, file)))).toEqual([]);
});

test('a save compares the findings only if they may have changed since the last save', () => {
  const state = createState({ repositories: [{ owner: 'acme', name: 'shop', gitDir: '.' }] });
  const [repository] = state.repositories;
  if (repository === undefined) throw new Error('the state has no repository');
  let severityOverride: string | null = null;
  let looks = 0;
  const rule = {
    id: 'r',
    cwe: 'CWE-95',
    severity: 'HIGH',
    title: 't',
    description: 'd',
    recommendedFix: 'f',
  } as const;
  const line = { start: 1, end: 1 };
  const found = { path: 'a.js', places: [line], snippet: 'eval(x)', proof: null, shown: line } as const;
  const finding: FindingRecord = {
    ...{ id: 'f', repository, firstSeenAt: new Date(0), lastScanId: 's', notes: [], pinnedNoteId: null },
    ...{ triageStatus: 'PENDING', confirmationEvidence: null, resolutionStatus: 'NOT_STARTED' },
    vulnerability: { ...found, places: [line], rule, occurrence: 0 },
    get severityOverride() {
      looks += 1;
      return severityOverride;
    },
  };
  state.findings.set(finding.id, finding);
  const written: string[] = [];
  let isFull = false;
  const save = createSaver((rows) => {
    if (isFull) throw new Error('the disk is full');
    written.push(...rows.filter((row) => row.kind === 'finding').map((row) => row.json));
  });
  save(state);
  save(state, true);
  expect({ looks, written }).toEqual({ looks: 1, written: [expect.stringContaining('null')] });
  severityOverride = 'LOW';
  isFull = true;
  expect(() => save(state)).toThrow('the disk is full');
  isFull = false;
  save(state, true);
  save(state, true);
  expect([looks, ...written.slice(1)]).toEqual([3, expect.stringContaining('"severityOverride":"LOW"')]);
});

test('a start fails if another service uses the data folder, or if its port is taken, and releases the folder', async () => {
  const dataFolder = folder();
  const first = await startOn(dataFolder);
  await expect(startOn(dataFolder)).rejects.toThrow(`another sandbox is using ${dataFolder}`);
  expect((await first.call('GET', '/token')).status).toBe(200);
  await first.service.close();
  const { service } = await start();
  const port = Number(new URL(service.origin).port);
  await expect(startOn(dataFolder, { port })).rejects.toThrow('EADDRINUSE');
  expect((await (await startOn(dataFolder)).call('GET', '/token')).status).toBe(200);
});

test.each([
  ['another version', 'PRAGMA user_version = 99', 'holds data of another version'],
  ['a record without members', `UPDATE record SET json = '{}' WHERE kind = 'token'`, 'is not readable'],
  ['a record that is no JSON', `UPDATE record SET json = '{' WHERE kind = 'ledger'`, 'is not readable'],
])('a start fails if the data has %s', async (_what, sql, message) => {
  const dataFolder = folder();
  await (await startOn(dataFolder)).service.close();
  const database = new DatabaseSync(join(dataFolder, DATABASE));
  database.exec(sql);
  database.close();
  await expect(startOn(dataFolder)).rejects.toThrow(message);
});

test('a start fails if the data folder is a file, has no parent, or if its database file is not a database', async () => {
  const dataFolder = folder();
  writeFileSync(join(dataFolder, DATABASE), 'no database, but a long text. '.repeat(100));
  await expect(startOn(dataFolder)).rejects.toThrow('is not a database of the sandbox');
  writeFileSync(join(dataFolder, 'file'), '');
  await expect(startOn(join(dataFolder, 'file'))).rejects.toThrow('cannot be used');
  const parent = join(dataFolder, 'nowhere');
  const message = `${parent} does not exist. Create that folder first.`;
  await expect(startOn(join(parent, 'data'))).rejects.toThrow(message);
  expect(existsSync(parent)).toBe(false);
});
