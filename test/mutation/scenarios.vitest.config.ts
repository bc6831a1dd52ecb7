import { defineConfig } from 'vitest/config';

/** The tests of `RUN_MODULES`. They use the driver `in process`, because the bundle has no mutants. */
const SITUATIONS = [
  'base-changed',
  'closed-pull-request',
  'confirmation',
  'earlier-marks',
  'elder-twin',
  'first-read',
  'full-scan',
  'job-cancelled',
  'last-look',
  'last-read',
  'late-launch',
  'launch-answers',
  'lost-launch',
  'older-head',
  'proof',
  'pull-request-cost',
  'reuse-completed',
  'same-files',
  'saved-state',
  'scan-ended',
  'scan-in-progress',
  'superseded',
  'timeout',
  'unlisted-check-runs',
];

export default defineConfig({
  test: {
    include: SITUATIONS.map((name) => `test/scenarios/${name}.test.ts`),
    setupFiles: ['test/support/contract-guard.ts'],
    restoreMocks: true,
    // Loading the modules takes longer than running the tests, so all test files share the loaded modules.
    isolate: false,
    // A limit against hanging tests.
    testTimeout: 600_000,
  },
});
