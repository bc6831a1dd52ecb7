import { expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import type { ScanServiceOptions } from '../../sandbox/scan-service/options.ts';
import { allowing, BOTH_WAYS, expectNotScanned, expectResult } from './expect-result.ts';
import { runScenario } from './scenario.ts';

/** The report has these texts after every lost answer. They say what is known, what is at risk, and where to look. */
const SAYS = [
  'Could not confirm the launch of the scan: ',
  'The service lists a new scan, but Scangate could not match it to this run (scan_',
  'A scan may be running, so Scangate did not launch another one.',
  'Check project',
  'If it is running, cancel it: it can use up to 20 credits.',
];

type Fault = readonly [string, Interception];
const LOST: readonly Fault[] = [
  ['is cut', { fault: 'cut-body' }],
  ['never comes', { fault: 'hang-after' }],
  ['is a 503', { rewrite: () => ({ status: 503, body: 'Service Unavailable' }) }],
  ['is a page instead of JSON', { rewrite: () => ({ status: 200, body: '<html>Welcome</html>' }) }],
  ['names no scan', { rewrite: () => ({ status: 202, body: { accepted: true } }) }],
  [
    'is a redirect',
    { rewrite: () => ({ status: 307, headers: { location: '/api/v1/elsewhere' }, body: '' }) },
  ],
];

const atLaunch = (interception: Interception) => ({
  intercept: ({ point }: { readonly point: string }) => (point === 'scans.launch' ? interception : undefined),
});

/**
 * The service shows neither the commit nor the base of a scan, so the action cannot recognize its scan. The scan does
 * not end.
 */
const unrecognizable = (interception: Interception): Partial<ScanServiceOptions> => ({
  ...atLaunch(interception),
  hideFields: { scanItem: ['baseCommit', 'commit'], scanDetail: ['baseCommit', 'commit'] },
  pace: { hold: true },
});

test.each(BOTH_WAYS)('a run does not repeat a lost launch ($way)', async ({ allowed }) => {
  const result = await runScenario({
    service: unrecognizable({ fault: 'reset-after' }),
    inputs: allowing('launch-unknown', allowed),
  });
  // The unrecognized scan keeps its credits reserved. The report warns of this.
  expectNotScanned(result, 'launch-unknown', {
    allowed,
    launches: 1,
    texts: SAYS,
    reserved: 20,
    scanKnown: false,
  });
});

test.each(LOST)(
  'if the answer to a launch %s, the run sends no second launch',
  async (_what, interception) => {
    const result = await runScenario({ service: unrecognizable(interception) });
    expectNotScanned(result, 'launch-unknown', { launches: 1, texts: SAYS, reserved: 20, scanKnown: false });
    expect(result.environment.service.ledger().entries.filter(({ kind }) => kind === 'reserve')).toHaveLength(
      1,
    );
  },
);

test.each(LOST)(
  'if the answer to a launch %s, the run finds the scan in the scan list',
  async (_what, interception) => {
    const result = await runScenario({ service: atLaunch(interception) });
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings at or above high'],
    });
    expect(result.environment.service.ledger()).toMatchObject({ spent: 20, reserved: 0 });
  },
);
