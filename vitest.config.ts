import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/search-every-run.ts'],
    testTimeout: 30_000,
    // One for each core: the longest tests mostly wait for a process that they spawned.
    maxWorkers: '100%',
    // Tests that run side by side in one file mostly wait for the processes that they spawned, and those for each other.
    maxConcurrency: 10,
    restoreMocks: true,
  },
});
