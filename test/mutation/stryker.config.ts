import { POLICY_MODULES } from './policy-modules.ts';

/** Stryker reads this, and checks it against its schema. */
export default {
  mutate: Object.values(POLICY_MODULES).flat(),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/unit.vitest.config.ts' },
  // Stryker gets no tsconfig file, because it would rewrite the paths in that file with an API that TypeScript 7 no
  // longer has. Our tests do not need the file.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'build-mutation/mutation.json' },
  tempDirName: 'build-mutation/sandbox',
  thresholds: { high: 95, low: 85, break: 85 },
};
