import { defineConfig } from 'vitest/config';
import { POLICY_MODULES } from './policy-modules.ts';

/**
 * The tests beside the policy modules: quick, within the process, and by themselves strong enough to notice a wrong
 * policy. What the rest of the suite would notice as well does not count.
 */
export default defineConfig({
  test: {
    include: Object.values(POLICY_MODULES)
      .flat()
      .map((file) => file.replace(/^src/, 'test/unit').replace(/\.ts$/, '.test.ts')),
    restoreMocks: true,
  },
});
