import { expect, test } from 'vitest';
import { failOnAt } from '../../../src/domain/fail-on.ts';
import type { Finding } from '../../../src/domain/finding.ts';
import { ok } from '../../../src/domain/result.ts';
import { readResult } from '../../../src/scan/result.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { finding } from '../domain/sample-finding.ts';
import { answers, aScan, invalid } from './fake-api.ts';

const policy = {
  severityThreshold: 'medium',
  failOn: failOnAt('high', 'confirmed'),
  allowUnscanned: [],
  pathsExempt: [],
} as const;
const { progress } = aScan('COMPLETED');
const scan = aScan('COMPLETED', { progress: { ...progress, phasesCompleted: 1, phasesTotal: 8 } });

async function read(list: Parameters<typeof answers<readonly Finding[]>>[number], ...details: Finding[]) {
  const api = {
    findings: answers<readonly Finding[]>(list),
    finding: answers<Finding>(...details.map((detail) => ok(detail))),
  };
  const request = { projectId: 'p', scanId: 's' };
  const warnings: string[] = [];
  const followed = { kind: 'completed', scan, commitConfirmed: true, baseConfirmed: true } as const;
  const deps = {
    api,
    policy,
    disclosure: 'everything',
    clock: new FakeClock(),
    signal: NEVER_ABORTED,
    warn: (...sentences: readonly string[]) => void warnings.push(...sentences),
  } as const;
  return { ...(await readResult(deps, request, followed)), warnings };
}

test('readResult warns of unfinished phases and of unknown triage', async () => {
  const odd = finding({ triage: 'MAYBE' });
  expect(await read(ok([odd]), odd)).toMatchObject({
    outcome: { kind: 'completed', findings: [odd] },
    warnings: [expect.stringContaining('1 of 8 phases'), expect.stringContaining('unknown: MAYBE')],
  });
});

test('readResult does not warn of a missing triage if the details of the finding show the triage', async () => {
  const { warnings } = await read(ok([finding({ triage: undefined })]), finding({ triage: 'PENDING' }));
  expect(warnings).toEqual([expect.stringContaining('1 of 8 phases')]);
});

test('readResult does not warn if the findings cannot be read', async () => {
  expect(await read(invalid(200, 'wrong-shape'))).toMatchObject({
    outcome: { kind: 'not-scanned' },
    warnings: [],
  });
});
