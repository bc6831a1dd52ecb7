import { defineConfig } from 'vitest/config';

/** They spawn the bundle a thousand times, and so many side by side that nothing else should run beside them. */
const CROWDED = ['test/reliability/fault-matrix.test.ts', 'test/reliability/kill-points.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['test/search-every-run.ts', 'test/hold-the-contract.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: CROWDED,
          // One for each core: the longest tests mostly wait for a process that they spawned.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'crowded',
          include: CROWDED,
          maxWorkers: 1,
          // The processes mostly wait for each other.
          maxConcurrency: 10,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
