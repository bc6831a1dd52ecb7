import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planPhases, weightedCompletion } from '../../../sandbox/scan-service/phases.ts';
import { AREA_FACTS } from './area-facts.ts';
import { played } from './fact.ts';
import { FINDING_FACTS } from './finding-facts.ts';
import { refused, start } from './harness.ts';
import { LAUNCH_FACTS } from './launch-facts.ts';
import { SCAN_FACTS } from './scan-facts.ts';
import { TOKEN_FACTS } from './token-facts.ts';

test.each([
  ['areas', AREA_FACTS],
  ['findings', FINDING_FACTS],
  ['launches', LAUNCH_FACTS],
  ['scans', SCAN_FACTS],
  ['tokens', TOKEN_FACTS],
] as const)('the fake service keeps the facts about %s', async (subject, facts) => {
  const texts: string[] = [];
  for (const fact of facts) texts.push(await played(fact));
  await expect(texts.join('\n')).toMatchFileSnapshot(`${subject}.golden.txt`);
});

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
