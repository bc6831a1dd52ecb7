import type { Log } from '../../src/runner/log.ts';
import type { ScanApi } from '../../src/scan-api/client.ts';
import type { ServiceStep } from '../../src/start/step.ts';
import { FakeClock } from './fake-clock.ts';
import { NEVER_ABORTED } from './never-aborted.ts';

/** A log that drops its lines. */
export const SILENT_LOG: Log = {
  info: () => {},
  warning: () => {},
  error: () => {},
  group: () => {},
  annotate: () => true,
  mask: () => {},
};

/** Makes a step whose service answers only these calls. */
export function serviceStep(api: Partial<ScanApi>, given: Partial<ServiceStep> = {}): ServiceStep {
  return {
    clock: new FakeClock(),
    random: () => 0,
    signal: NEVER_ABORTED,
    log: SILENT_LOG,
    warn: () => {},
    ...given,
    // The test calls nothing else.
    api: api as ScanApi,
  };
}
