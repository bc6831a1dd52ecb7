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
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LocatedVulnerability } from '../../../sandbox/scan-service/analyzer/analyze.ts';
import { createState } from '../../../sandbox/scan-service/create-state.ts';
import type { ScanServiceOptions } from '../../../sandbox/scan-service/options.ts';
import type { FakeScanService } from '../../../sandbox/scan-service/server.ts';
import type { FindingRecord } from '../../../sandbox/scan-service/state.ts';
import { createSaver } from '../../../sandbox/scan-service/store/store.ts';
import { at, type Harness, refused, start, textAt } from './harness.ts';

const PROJECT = '/projects/{project}';
const REPOSITORY = `${PROJECT}/repositories/repo_shop`;

const VULNERABILITY: LocatedVulnerability = {
  rule: { id: 'r', cwe: 'CWE-95', severity: 'HIGH', title: 't', description: 'd', recommendedFix: 'f' },
  path: 'a.js',
  places: [{ start: 1, end: 1 }],
  snippet: 'eval(x)',
  proof: undefined,
  shown: { start: 1, end: 1 },
  occurrence: 0,
};

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

/** Everything that a client can read of a service. Running scans are left out, because a read would advance them. */
async function picture({ call, service }: Harness): Promise<unknown> {
  const read = async (path: string) => (await call('GET', path)).body;
  const findings = await read(`${PROJECT}/findings?limit=100`);
  const items = at(findings, 'items');
  const details = (Array.isArray(items) ? items : []).map((item) =>
    read(`${PROJECT}/findings/${at(item, 'id')}`),
  );
  const ended = service.scans().filter((scan) => scan.status === 'COMPLETED' || scan.status === 'CANCELLED');
  return {
    token: await read('/token'),
    tokens: service.tokens,
    repositories: await read(`${PROJECT}/repositories`),
    guidance: await read(`${REPOSITORY}/guidance`),
    areas: await read(`${REPOSITORY}/audit-areas`),
    scans: await read(`${PROJECT}/scans`),
    details: await Promise.all(ended.map((scan) => read(`${PROJECT}/scans/${scan.id}`))),
    snapshots: service.scans(),
    findings,
    findingDetails: await Promise.all(details),
    ledger: service.ledger(),
  };
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
  await call('GET', `${PROJECT}/scans/${scanId}`);
  yield 'a scan that runs';
  await call('POST', `${PROJECT}/scans/${scanId}/cancel`);
  yield 'cancelled';
  await call('POST', `${PROJECT}/scans`, launchBody({ creditBudget: 5 }));
  yield 'a refusal';
  const second = await launch();
  for (let reads = 0; reads < 2; reads += 1) await call('GET', `${PROJECT}/scans/${second}`);
  yield 'completed';
  const full = await launch({
    presetRef: 'full-audit',
    baseCommit: undefined,
    commit: repository.id('base'),
  });
  for (let reads = 0; reads < 2; reads += 1) await call('GET', `${PROJECT}/scans/${full}`);
  yield 'a map of the default branch';
  const finding = `${PROJECT}/findings/${service.scans()[1]?.findingIds[0]}`;
  const { body } = await call('POST', `${finding}/notes`, { content: '**Note** \u{1F511}' });
  await call('POST', `${finding}/notes/${textAt(body, 'note', 'noteId')}/pin`, { kind: 'resolution' });
  await call('PATCH', `${finding}/resolution`, { resolutionStatus: 'WONT_FIX', reason: 'risk_accepted' });
  yield 'notes and triage';
  service.control.overrideSeverity(service.scans()[1]?.findingIds[1] ?? '', 'CRITICAL');
  yield 'what was done in the service’s app';
  await call('POST', `${finding}/publish`, { withPassword: true });
  await call('POST', `${PROJECT}/scans/${second}/publish`, {});
  yield 'publications';
}

/** Starts a service on this folder. All services in this file have the same repository and clock. */
async function startOn(dataFolder: string, options: Partial<ScanServiceOptions> = {}): Promise<Harness> {
  return start({ clock: { now: () => new Date('2024-05-01T10:00:00Z') }, dataFolder, ...options });
}

describe('a service with a data folder', () => {
  it('after every answer, the data folder has the whole state of the service', async () => {
    const dataFolder = folder();
    const first = await startOn(dataFolder);
    const seen: string[] = [];
    for await (const what of history(first)) {
      const left = copyOf(dataFolder);
      const second = await startOn(left, { tokens: [{ scopes: ['read'] }], credits: 7 });
      expect(second.service.token, what).toBe(first.service.token);
      expect(await picture(second), what).toEqual(await picture(first));
      await second.service.close();
      seen.push(what);
    }
    expect(seen).toHaveLength(12);
  });

  it('after a restart, the service continues unfinished scans in the same phase', async () => {
    const dataFolder = folder();
    const first = await startOn(dataFolder);
    await first.call('POST', `${REPOSITORY}/audit-areas`, { name: 'Notes' });
    const running = await first.launch({ creditBudget: 100 });
    expect(at((await first.call('GET', `${PROJECT}/scans/${running}`)).body, 'scan', 'status')).toBe(
      'RUNNING',
    );
    const scoped = await first.launch({ auditAreaKeys: ['notes'] });
    await first.service.close();
    const second = await startOn(dataFolder);
    expect(await second.finish(running)).toMatchObject({ status: 'COMPLETED', creditsSpent: 100 });
    expect(await second.finish(scoped)).toMatchObject({ status: 'COMPLETED', auditAreaKeys: ['notes'] });
    expect(second.service.scans().map((scan) => scan.findingIds.length)).toEqual([0, 2]);
    // The scan of the audit area spends only 12 of its 20 reserved credits, because the area has no code to analyze.
    expect(second.service.ledger()).toMatchObject({ balance: 888, reserved: 0, spent: 112 });
  });

  it('a data folder keeps the rights, the spending and the revocation of each token', async () => {
    const dataFolder = folder();
    const tokens = [{ spendLimit: 30 }, {}, { requestCeiling: { requests: 2, windowSeconds: 60 } }];
    const first = await startOn(dataFolder, { tokens });
    await first.launch();
    first.service.control.revokeToken(first.service.tokens[1]?.token ?? '');
    const as = (harness: Harness, index: number) =>
      harness.call('GET', '/token', undefined, {
        authorization: `Bearer ${first.service.tokens[index]?.token}`,
      });
    await as(first, 2);
    await first.service.close();
    const second = await startOn(dataFolder);
    expect(second.service.tokens).toEqual(first.service.tokens);
    expect(await second.call('POST', `${PROJECT}/scans`, second.launchBody())).toMatchObject(
      refused(429, 'rate_limited'),
    );
    expect(await as(second, 1)).toMatchObject(refused(401, 'unauthorized'));
    expect((await as(second, 2)).status).toBe(200);
    expect(await as(second, 2)).toMatchObject(refused(429, 'rate_limited'));
    second.service.control.archiveProject();
    await second.service.close();
    expect(await as(await startOn(dataFolder), 0)).toMatchObject(refused(401, 'unauthorized'));
  });

  it('a data folder keeps published pages, their passwords and the number of wrong passwords', async () => {
    const dataFolder = folder();
    const first = await startOn(dataFolder);
    const scanId = await first.launch();
    await first.finish(scanId);
    const { body } = await first.call('POST', `${PROJECT}/scans/${scanId}/publish`, { withPassword: true });
    const give = ({ origin }: FakeScanService, password: string) =>
      fetch(`${origin}/public/scans/${textAt(body, 'publicId')}`, {
        method: 'POST',
        body: new URLSearchParams({ password }),
      });
    for (let tries = 0; tries < 4; tries += 1) await give(first.service, 'wrong');
    await first.service.close();
    const { service } = await startOn(dataFolder);
    expect((await give(service, textAt(body, 'accessPassword'))).status).toBe(200);
    expect((await give(service, 'wrong')).status).toBe(403);
    expect((await give(service, textAt(body, 'accessPassword'))).status).toBe(429);
  });

  it('a data folder keeps the scans of a repository even if the next start does not name the repository', async () => {
    const dataFolder = folder();
    const first = await startOn(dataFolder);
    const scanId = await first.launch();
    await first.finish(scanId);
    await first.service.close();
    const gitDir = first.repository.dir;
    const second = await startOn(dataFolder, { repositories: [{ owner: 'acme', name: 'till', gitDir }] });
    expect(second.service.repositories.map((one) => one.name)).toEqual(['till', 'shop']);
    expect((await second.call('GET', `${PROJECT}/findings?scanId=${scanId}`)).body).toMatchObject({
      total: 2,
    });
  });

  it('a new data folder gets a new token, and is private', async () => {
    const { service } = await start();
    const dataFolder = join(folder(), 'made for it');
    const first = await startOn(dataFolder);
    expect(first.service.token).not.toBe(service.token);
    expect(statSync(dataFolder).mode & 0o077).toBe(0);
  });

  it('the files in a data folder are private even if the folder is not', async () => {
    const dataFolder = folder();
    chmodSync(dataFolder, 0o755);
    const { launch } = await startOn(dataFolder);
    await launch();
    const modes = readdirSync(dataFolder).map((file) => statSync(join(dataFolder, file)).mode & 0o077);
    expect(new Set(modes)).toEqual(new Set([0]));
  });
});

describe('saving', () => {
  it('a save compares the findings only if they may have changed since the last save', () => {
    const state = createState({ repositories: [{ owner: 'acme', name: 'shop', gitDir: '.' }] });
    const [repository] = state.repositories;
    if (repository === undefined) throw new Error('the state has no repository');
    let severityOverride: string | null = null;
    let looks = 0;
    const finding: FindingRecord = {
      id: 'f',
      repository,
      firstSeenAt: new Date(0),
      vulnerability: VULNERABILITY,
      lastScanId: 's',
      get severityOverride() {
        looks += 1;
        return severityOverride;
      },
      triageStatus: 'PENDING',
      confirmationEvidence: null,
      resolutionStatus: 'NOT_STARTED',
      pinnedNoteId: null,
      notes: [],
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
    expect({ looks, written: written.slice(1) }).toEqual({
      looks: 3,
      written: [expect.stringContaining('"severityOverride":"LOW"')],
    });
  });
});

describe('a data folder that cannot be used', () => {
  it('a start fails if another service uses the data folder', async () => {
    const dataFolder = folder();
    const first = await startOn(dataFolder);
    await expect(startOn(dataFolder)).rejects.toThrow(`another sandbox is using ${dataFolder}`);
    expect((await first.call('GET', '/token')).status).toBe(200);
    await first.service.close();
    expect((await (await startOn(dataFolder)).call('GET', '/token')).status).toBe(200);
  });

  it('a start fails if the data has an unknown version, or was edited', async () => {
    const change = async (sql: string) => {
      const dataFolder = folder();
      await (await startOn(dataFolder)).service.close();
      const database = new DatabaseSync(join(dataFolder, 'scan-service.sqlite'));
      database.exec(sql);
      database.close();
      return startOn(dataFolder);
    };
    await expect(change('PRAGMA user_version = 99')).rejects.toThrow('holds data of another version');
    await expect(change(`UPDATE record SET json = '{}' WHERE kind = 'token'`)).rejects.toThrow(
      'is not readable',
    );
    await expect(change(`UPDATE record SET json = '{' WHERE kind = 'ledger'`)).rejects.toThrow(
      'is not readable',
    );
  });

  it('a start fails if the data folder is a file, or if its database file is not a database', async () => {
    const dataFolder = folder();
    writeFileSync(join(dataFolder, 'scan-service.sqlite'), 'no database, but a long text. '.repeat(100));
    await expect(startOn(dataFolder)).rejects.toThrow('is not a database of the sandbox');
    writeFileSync(join(dataFolder, 'file'), '');
    await expect(startOn(join(dataFolder, 'file'))).rejects.toThrow('cannot be used');
  });

  it('a start fails if the parent of the data folder does not exist', async () => {
    const parent = join(folder(), 'nowhere');
    await expect(startOn(join(parent, 'data'))).rejects.toThrow(
      `${parent} does not exist. Create that folder first.`,
    );
    expect(existsSync(parent)).toBe(false);
  });

  it('a service that cannot start on its port releases the data folder', async () => {
    const dataFolder = folder();
    const { service } = await start();
    const port = Number(new URL(service.origin).port);
    await expect(startOn(dataFolder, { port })).rejects.toThrow('EADDRINUSE');
    expect((await (await startOn(dataFolder)).call('GET', '/token')).status).toBe(200);
  });
});
