import { defineConfig } from 'vitest/config';

/** Whole runs by the driver `in process`, because the bundle has no mutants. */
export default defineConfig({
  test: {
    include: ['test/scenarios/**/*.test.ts'],
    // These run mostly the bundle.
    exclude: [
      'certificate-verification',
      'doctor-process',
      'process-end',
      'proxy',
      'scale',
      'triage/bundle',
    ].map((name) => `test/scenarios/${name}.test.ts`),
    setupFiles: ['test/support/contract-guard.ts'],
    restoreMocks: true,
    // Loading the modules takes longer than running the tests, so all test files share the loaded modules.
    isolate: false,
    // A limit against hanging tests.
    testTimeout: 600_000,
  },
});
