import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGitFixture } from '../../../sandbox/git-fixture.ts';
import { planPhases, weightedCompletion } from '../../../sandbox/scan-service/phases.ts';
import { at, refused, SAMPLE, start } from './harness.ts';

const SCANS = '/projects/{project}/scans';

describe('a scan', () => {
  it('a scan changes from QUEUED to RUNNING to COMPLETED', async () => {
    const { call, launch } = await start({ pace: { phasesPerPoll: 2 }, retryAfterSeconds: 3 });
    const scanId = await launch();
    expect((await call('GET', SCANS)).body).toMatchObject({ items: [{ id: scanId, status: 'QUEUED' }] });
    const seen: unknown[] = [];
    for (let reads = 0; reads < 4; reads += 1) {
      const { body, headers } = await call('GET', `${SCANS}/${scanId}`);
      const progress = at(body, 'scan', 'progress');
      seen.push([
        at(body, 'scan', 'status'),
        at(progress, 'phasesCompleted'),
        at(progress, 'phasesTotal'),
        at(progress, 'weightedCompletion'),
        headers.get('retry-after'),
      ]);
      expect(progress).toMatchObject({ reservedCredits: 20 });
      expect(at(body, 'scan', 'creditsSpent')).toBe(at(body, 'scan', 'status') === 'COMPLETED' ? 20 : null);
    }
    expect(seen).toEqual([
      ['RUNNING', 2, 6, 0.2, '3'],
      ['RUNNING', 4, 6, 0.8, '3'],
      ['COMPLETED', 6, 6, 1, null],
      ['COMPLETED', 6, 6, 1, null],
    ]);
  });

  it('a scan shows what it scanned, and that the service is fake', async () => {
    const { call, launch, repository } = await start();
    const scanId = await launch();
    expect((await call('GET', `${SCANS}/${scanId}`)).body).toMatchObject({
      scan: {
        id: scanId,
        repositoryId: 'repo_shop',
        presetRef: 'diff-review',
        baseCommit: repository.id('base'),
        commit: repository.id('vulnerable'),
        analyzer: expect.stringContaining('fake scanning service'),
      },
    });
    const full = await launch({ presetRef: 'full-audit', baseCommit: undefined });
    expect((await call('GET', `${SCANS}/${full}`)).body).toMatchObject({ scan: { baseCommit: null } });
  });

  it('a scan is FAILED if the code to scan cannot be read', async () => {
    const damaged = await createGitFixture(SAMPLE);
    const tree = await damaged.git('rev-parse', 'feature^{tree}');
    await rm(join(damaged.dir, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    const { launch, finish, service } = await start({
      repositories: [{ owner: 'acme', name: 'shop', gitDir: damaged.dir }],
    });
    const scanId = await launch({ presetRef: 'full-audit', baseCommit: undefined });
    expect(await finish(scanId)).toMatchObject({
      status: 'FAILED',
      progress: { phasesCompleted: 6, phasesTotal: 6 },
    });
    // The last phase started but did not end. It costs one credit, and half of that is rounded down to 0.
    expect(service.ledger()).toMatchObject({ reserved: 0, spent: 19 });
    await damaged.remove();
  });

  it('a scan can be held for any time, and then released', async () => {
    const { call, launch, finish, service } = await start();
    service.control.hold('next');
    const scanId = await launch();
    for (let reads = 0; reads < 5; reads += 1) {
      const { body, headers } = await call('GET', `${SCANS}/${scanId}`);
      expect(at(body, 'scan', 'status')).toBe('QUEUED');
      expect(headers.get('retry-after')).toBe('1');
    }
    service.control.release(scanId);
    expect(await finish(scanId)).toMatchObject({ status: 'COMPLETED' });
    expect(await finish(await launch())).toMatchObject({ status: 'COMPLETED' });
  });

  it('a scan can be COMPLETED at its first read', async () => {
    const { call, launch } = await start({ pace: { phasesPerPoll: Number.POSITIVE_INFINITY } });
    const { body, headers } = await call('GET', `${SCANS}/${await launch()}`);
    expect(at(body, 'scan', 'status')).toBe('COMPLETED');
    expect(headers.get('retry-after')).toBeNull();
  });
});

describe('cancelling', () => {
  it('the cancellation of a QUEUED scan gives back every credit', async () => {
    const { call, launch, service } = await start();
    const scanId = await launch();
    expect(await call('POST', `${SCANS}/${scanId}/cancel`)).toMatchObject({
      status: 200,
      body: { scanId, status: 'CANCELLED', cancelledJobs: 0 },
    });
    expect(service.ledger()).toMatchObject({ balance: 1000, reserved: 0, spent: 0 });
  });

  it('the cancellation of a RUNNING scan charges the finished phases and half of the current phase', async () => {
    const { call, launch, service } = await start({ pace: { phasesPerPoll: 2 } });
    const scanId = await launch({ creditBudget: 100 });
    await call('GET', `${SCANS}/${scanId}`);
    expect(await call('POST', `${SCANS}/${scanId}/cancel`)).toMatchObject({ body: { cancelledJobs: 1 } });
    // Two phases of 5 and 15 credits are done, and half of the third phase of 40 credits.
    expect(service.ledger()).toMatchObject({ balance: 960, reserved: 0, spent: 40 });
    const { body, headers } = await call('GET', `${SCANS}/${scanId}`);
    expect(at(body, 'scan', 'status')).toBe('CANCELLED');
    expect(headers.get('retry-after')).toBeNull();
  });

  it.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)(
    'the cancellation of a %s scan gets 400 and changes nothing, and only a COMPLETED scan can be published',
    async (ending) => {
      const { call, launch, finish, service } = await start({ pace: { ending } });
      const scanId = await launch();
      expect(await finish(scanId)).toMatchObject({ status: ending });
      const before = service.ledger();
      expect(await call('POST', `${SCANS}/${scanId}/cancel`)).toMatchObject(refused(400, 'bad_request'));
      expect(service.ledger()).toEqual(before);
      const published = await call('POST', `${SCANS}/${scanId}/publish`, {});
      expect(published.status).toBe(ending === 'COMPLETED' ? 200 : 400);
    },
  );
});

describe('control from outside', () => {
  it.each(['FAILED', 'CANCELLED'] as const)(
    'the control can end the next scan or a running scan as %s',
    async (status) => {
      const { call, launch, finish, service } = await start();
      const end = status === 'FAILED' ? service.control.fail : service.control.cancel;
      end('next');
      expect(await finish(await launch())).toMatchObject({ status });
      const running = await launch();
      await call('GET', `${SCANS}/${running}`);
      end(running);
      expect(await finish(running)).toMatchObject({ status });
      expect(service.ledger().reserved).toBe(0);
      expect((await call('GET', `/projects/{project}/findings?scanId=${running}`)).body).toMatchObject({
        total: 0,
      });
    },
  );

  it.each([
    ['FAILED', 4],
    ['CANCELLED', 3],
  ] as const)(
    'after the control ends a scan as %s in the fourth phase, the scan has %i finished phases',
    async (status, phases) => {
      const { call, launch, service } = await start();
      const scanId = await launch();
      await call('GET', `${SCANS}/${scanId}`);
      (status === 'FAILED' ? service.control.fail : service.control.cancel)(scanId);
      expect(at((await call('GET', `${SCANS}/${scanId}`)).body, 'scan')).toMatchObject({
        status,
        progress: { phasesCompleted: phases, phasesTotal: 6 },
        // Three phases cost 60 % of the 20 credits. The fourth phase costs half of its 20 %.
        creditsSpent: 14,
      });
    },
  );

  it('the control throws an error for an unknown scan or token', async () => {
    const { service } = await start();
    expect(() => service.control.hold('scan_x')).toThrow('scan_x');
    expect(() => service.control.revokeToken('x')).toThrow('token');
  });
});

describe('the ledger', () => {
  it('the ledger charges the whole budget if every phase ran, and less if a phase had nothing to do', async () => {
    const { launch, finish, service, repository } = await start();
    await finish(await launch({ creditBudget: 100 }));
    expect(service.ledger()).toMatchObject({ balance: 900, reserved: 0, spent: 100 });
    await finish(await launch({ creditBudget: 100, commit: repository.id('text-only') }));
    expect(service.ledger()).toMatchObject({ balance: 840, reserved: 0, spent: 160 });
    expect(service.ledger().entries.map((entry) => [entry.kind, entry.credits])).toEqual([
      ['purchase', 1000],
      ['reserve', 100],
      ['settle', 100],
      ['reserve', 100],
      ['settle', 60],
      ['release', 40],
    ]);
  });

  it('the ledger never loses or creates a credit, however scans end', async () => {
    const { call, launch, service } = await start({ pace: { phasesPerPoll: 1 } });
    for (let reads = 0; reads < 7; reads += 1) {
      const scanId = await launch({ creditBudget: 33 + reads });
      for (let read = 0; read < reads; read += 1) await call('GET', `${SCANS}/${scanId}`);
      await call('POST', `${SCANS}/${scanId}/cancel`);
      const { balance, reserved, spent } = service.ledger();
      expect(reserved).toBe(0);
      expect(balance + spent).toBe(1000);
    }
  });

  it('the phases of a scan share the whole budget, without a remainder', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (budget) => {
        const phases = planPhases(budget);
        expect(phases.every((phase) => Number.isInteger(phase.share) && phase.share >= 0)).toBe(true);
        expect(phases.reduce((sum, phase) => sum + phase.share, 0)).toBe(budget);
        expect(weightedCompletion(phases, 0)).toBe(0);
        expect(weightedCompletion(phases, phases.length)).toBe(1);
      }),
    );
  });
});
