import { defineConfig } from 'vitest/config';

/** The tests of the decisions that the modules of a run make. All run in process, because the bundle has no mutants. */
const SITUATIONS = [
  'earlier-marks',
  'elder-twin',
  'full-scan',
  'job-cancelled',
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
  'timeout',
  'unlisted-check-runs',
];

export default defineConfig({
  test: {
    include: SITUATIONS.map((name) => `test/scenarios/${name}.test.ts`),
    setupFiles: ['test/support/contract-guard.ts'],
    restoreMocks: true,
    // It takes longer to load the modules than to run the tests.
    isolate: false,
    // A guard against hanging.
    testTimeout: 600_000,
  },
});
