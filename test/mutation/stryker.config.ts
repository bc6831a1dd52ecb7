import { POLICY_MODULES } from './policy-modules.ts';

/** Read by Stryker, which checks it against its schema. */
export default {
  mutate: Object.values(POLICY_MODULES).flat(),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  // None: Stryker rewrites the paths in it by an interface that TypeScript 7 has no more, and nothing here reads them.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'build-mutation/mutation.json' },
  tempDirName: 'build-mutation/sandbox',
  thresholds: { high: 95, low: 85, break: 85 },
};
