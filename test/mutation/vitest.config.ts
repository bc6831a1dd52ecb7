import { defineConfig } from 'vitest/config';

/**
 * The tests beside the policy modules: quick, within the process, and by themselves strong enough to notice a wrong
 * policy. What the rest of the suite would notice as well does not count.
 */
export default defineConfig({
  test: {
    include: [
      'test/{admission,launch-plan}.test.ts',
      'test/domain/{redact,severity,verdict}.test.ts',
      'test/github/{author,check-run-list,comment-marker,own-comment,retry}.test.ts',
      'test/report/{harmless-json,link-target,log-text,markdown,markdown-escape,prose,visible-text}.test.ts',
      'test/reuse/parts.test.ts',
      'test/scan-api/{retry,retry-after}.test.ts',
      'test/scan/{launch,launch-unknown,new-scans,patience,reconcile,scan-mark,wait}.test.ts',
    ],
    restoreMocks: true,
  },
});
