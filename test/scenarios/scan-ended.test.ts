import { expect, test } from 'vitest';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-story.ts';
import { tell } from './story.ts';

test.each(BOTH_WAYS)('a scan that failed in the service: $way', async ({ allowed }) => {
  const story = await tell({
    service: { pace: { ending: 'FAILED' } },
    inputs: allowing('scan-failed', allowed),
  });
  expectNotScanned(story, 'scan-failed', {
    allowed,
    launches: 1,
    says: ['The scanning service reported the status FAILED.', 'See the scan in the service'],
  });
  expect(story.run.outputs['scan-status']).toBe('FAILED');
});

test.each(BOTH_WAYS)('a scan that somebody cancelled in the service: $way', async ({ allowed }) => {
  const story = await tell({
    service: { pace: { ending: 'CANCELLED' } },
    inputs: allowing('scan-cancelled', allowed),
  });
  expectNotScanned(story, 'scan-cancelled', {
    allowed,
    launches: 1,
    says: ['The scanning service reported the status CANCELLED.', 'Re-run this job'],
  });
  expect(story.run.outputs['scan-status']).toBe('CANCELLED');
  // It is over: there was nothing left to cancel.
  expect(story.stage.service.requests.map(({ point }) => point)).not.toContain('scans.cancel');
});
