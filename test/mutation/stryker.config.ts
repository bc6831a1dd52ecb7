/** Stryker reads this, and checks it against its schema. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Stryker gets no tsconfig file, because it would rewrite the paths in that file with an API that TypeScript 7 no
  // longer has. Our tests do not need the file.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  reporters: ['progress-append-only'],
  tempDirName: 'build-mutation/sandbox',
};
