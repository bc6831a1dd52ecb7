import { expect, test } from 'vitest';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-result.ts';
import { runScenario } from './scenario.ts';

test.each(BOTH_WAYS)(
  'the outcome is `not-scanned` if the scan failed in the service ($way)',
  async ({ allowed }) => {
    const result = await runScenario({
      service: { pace: { ending: 'FAILED' } },
      inputs: allowing('scan-failed', allowed),
    });
    expectNotScanned(result, 'scan-failed', {
      allowed,
      launches: 1,
      texts: ['The scanning service reported the status FAILED.', 'See the scan in the scanning service'],
    });
    expect(result.run.outputs['scan-status']).toBe('FAILED');
  },
);

test.each(BOTH_WAYS)(
  'the outcome is `not-scanned` if a user cancelled the scan in the service ($way)',
  async ({ allowed }) => {
    const result = await runScenario({
      service: { pace: { ending: 'CANCELLED' } },
      inputs: allowing('scan-cancelled', allowed),
    });
    expectNotScanned(result, 'scan-cancelled', {
      allowed,
      launches: 1,
      texts: ['The scanning service reported the status CANCELLED.', 'Re-run this job'],
    });
    expect(result.run.outputs['scan-status']).toBe('CANCELLED');
    // The scan had ended, so there was nothing to cancel.
    expect(result.environment.service.requests.map(({ point }) => point)).not.toContain('scans.cancel');
  },
);
