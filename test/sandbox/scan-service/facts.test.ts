import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planPhases, weightedCompletion } from '../../../sandbox/scan-service/phases.ts';
import { expectTable } from '../play.ts';
import { openService } from './fact.ts';
import { refused, start } from './harness.ts';

test.each(['areas', 'findings', 'launches', 'scans', 'tokens'])(
  'the fake service keeps the facts about %s',
  (subject) => expectTable(path.join(import.meta.dirname, `${subject}.golden.txt`), openService),
);

test('an Authorization header of another scheme is refused', async () => {
  const { service, call } = await start();
  for (const authorization of ['', 'Bearer', `Basic ${service.token}`]) {
    const answer = await call('GET', '/token', undefined, { authorization });
    expect(answer).toMatchObject(refused(401, 'unauthorized'));
  }
});

test('the control throws an error for an unknown scan or token', async () => {
  const { service } = await start();
  expect(() => service.control.hold('scan_x')).toThrow('scan_x');
  expect(() => service.control.revokeToken('x')).toThrow('token');
});

test('the ledger never loses or creates a credit, however scans end', async () => {
  const { call, launch, service } = await start({ pace: { phasesPerPoll: 1 } });
  for (let reads = 0; reads < 7; reads += 1) {
    const scanId = await launch({ creditBudget: 33 + reads });
    for (let read = 0; read < reads; read += 1) await call('GET', `scans/${scanId}`);
    await call('POST', `scans/${scanId}/cancel`);
    const { balance, reserved, spent } = service.ledger();
    expect([reserved, balance + spent]).toEqual([0, 1000]);
  }
});

test('the phases of a scan share the whole budget, without a remainder', () => {
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
