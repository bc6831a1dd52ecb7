import { defineConfig } from 'vitest/config';

/** The tests of `RUN_MODULES`. They use the driver `in process`, because the bundle has no mutants. */
const SITUATIONS = [
  'base-changed',
  'cancelling',
  'closed-pull-request',
  'earlier-marks',
  'earlier-scan',
  'elder-twin',
  'first-read',
  'full-scan',
  'last-read',
  'late-launch',
  'launch-again',
  'launch-answers',
  'lost-launch',
  'mark-search',
  'older-head',
  'proof',
  'pull-request-cost',
  'readiness',
  'reuse-completed',
  'same-files',
  'saved-state',
  'scan-in-progress',
  'superseded',
  'timeout',
  'twin-marks',
  'waiting',
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
