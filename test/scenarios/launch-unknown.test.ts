import { expect, test } from 'vitest';
import type { Interception } from '../../src/sandbox/faults/interception.ts';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-story.ts';
import { tell } from './story.ts';

const SAYS = [
  'It is not known whether the scan was launched, so it was not launched again.',
  'Look in the scan list of the service',
  '20 credits are at risk',
];

const atLaunch = (interception: Interception) => ({
  intercept: ({ point }: { readonly point: string }) => (point === 'scans.launch' ? interception : undefined),
});

test.each(BOTH_WAYS)(
  'the answer to the launch is lost: it is sent once, and told: $way',
  async ({ allowed }) => {
    const story = await tell({
      service: atLaunch({ fault: 'reset-after' }),
      inputs: allowing('launch-unknown', allowed),
    });
    // The scan that nobody learnt of holds its reservation; that is what the message warns of.
    expectNotScanned(story, 'launch-unknown', {
      allowed,
      launches: 1,
      says: SAYS,
      reserved: 20,
      scanKnown: false,
    });
  },
);

test.each<[string, Interception]>([
  ['is cut', { fault: 'cut-body' }],
  ['never comes', { fault: 'hang-after' }],
  [
    'is an error of the service after the deed',
    { rewrite: () => ({ status: 503, body: 'Service Unavailable' }) },
  ],
  ['is a page instead of JSON', { rewrite: () => ({ status: 200, body: '<html>Welcome</html>' }) }],
  ['names no scan', { rewrite: () => ({ status: 202, body: { accepted: true } }) }],
  [
    'is a redirect',
    { rewrite: () => ({ status: 307, headers: { location: '/api/v1/elsewhere' }, body: '' }) },
  ],
])('an answer to the launch that %s: one launch, no second bill', async (_what, interception) => {
  const story = await tell({ service: atLaunch(interception) });
  expectNotScanned(story, 'launch-unknown', { launches: 1, says: SAYS, reserved: 20, scanKnown: false });
  expect(story.stage.service.ledger().entries.filter(({ kind }) => kind === 'reserve')).toHaveLength(1);
});
