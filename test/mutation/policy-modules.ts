/** The modules that decide, by what they decide: a mistake in one of them costs money, trust or a wrong merge. */
export const POLICY_MODULES = {
  verdict: [
    'src/domain/fail-on.ts',
    'src/domain/verdict.ts',
    'src/change/fork-policy.ts',
    'src/runner/fail-on-form.ts',
  ],
  paths: ['src/domain/path-pattern.ts', 'src/domain/path-patterns.ts', 'src/runner/paths-form.ts'],
  severity: ['src/domain/severity.ts'],
  launch: [
    'src/gate/launch-plan.ts',
    'src/preflight/planned-base.ts',
    'src/scan-api/wire-writes.ts',
    'src/scan/launch.ts',
    'src/scan/launch-unknown.ts',
    'src/scan/match-new-scans.ts',
    'src/scan/recover-launch.ts',
    'src/scan/twins.ts',
  ],
  change: [
    'src/change/branch-side.ts',
    'src/change/diff-base.ts',
    'src/change/freshness.ts',
    'src/change/given-base.ts',
    'src/change/guidance-changed.ts',
    'src/change/guidance-file.ts',
    'src/change/path-trail.ts',
    'src/domain/guidance.ts',
    'src/change/push-base.ts',
    'src/github/branch-event.ts',
    'src/github/merge-queue.ts',
  ],
  wait: ['src/scan/patience.ts', 'src/scan/poll-interval.ts', 'src/scan/wait.ts'],
  retry: ['src/github/retry.ts', 'src/http/retry-after.ts', 'src/scan-api/retry.ts'],
  escapers: [
    'src/text/redact.ts',
    'src/report/code-spans.ts',
    'src/text/escape-json.ts',
    'src/report/link-target.ts',
    'src/text/log-text.ts',
    'src/report/markdown-escape.ts',
    'src/report/markdown.ts',
    'src/report/untrusted-text.ts',
    'src/text/visible-text.ts',
  ],
  ownership: [
    'src/github/author.ts',
    'src/github/check-run-list.ts',
    'src/github/comment-marker.ts',
    'src/github/own-comment.ts',
  ],
  proof: ['src/domain/scan-subject.ts', 'src/scan/scan-key.ts', 'src/scan/scan-mark.ts'],
} as const;

/** What opens the gate, and what spends the credits: here no mutant may survive. */
export const WITHOUT_SURVIVORS: readonly string[] = [
  ...POLICY_MODULES.verdict,
  ...POLICY_MODULES.paths,
  ...POLICY_MODULES.launch,
  ...POLICY_MODULES.change,
  ...POLICY_MODULES.proof,
];
