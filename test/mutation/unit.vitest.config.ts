import { defineConfig } from 'vitest/config';
import { POLICY_MODULES } from './policy-modules.ts';

/**
 * The unit tests of the policy modules and of the functions that read from GitHub. They must detect a wrong policy by
 * themselves. A mistake that only other tests detect counts as undetected.
 */
export default defineConfig({
  test: {
    include: [
      ...Object.values(POLICY_MODULES)
        .flat()
        .map((file) => file.replace(/^src/, 'test/unit').replace(/\.ts$/, '.test.ts')),
      'test/unit/github/readers.test.ts',
    ],
    restoreMocks: true,
  },
});
