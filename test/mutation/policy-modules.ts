/**
 * The modules that make decisions, grouped by decision. A mistake in one of them can waste credits, lose trust or let a
 * wrong merge pass.
 */
export const POLICY_MODULES = {
  verdict: [
    'src/domain/fail-on.ts',
    'src/domain/finding.ts',
    'src/domain/verdict.ts',
    'src/change/fork-policy.ts',
    'src/runner/fail-on-form.ts',
  ],
  paths: ['src/domain/path-pattern.ts', 'src/domain/path-patterns.ts', 'src/runner/paths-form.ts'],
  severity: ['src/domain/severity.ts'],
  disclosure: ['src/domain/disclosure.ts', 'src/preflight/publish-fault.ts'],
  launch: [
    'src/gate/launch-plan.ts',
    'src/preflight/planned-base.ts',
    'src/scan-api/wire-writes.ts',
    'src/scan/candidates.ts',
    'src/scan/launch.ts',
    'src/scan/launch-unknown.ts',
    'src/scan/launched-id.ts',
    'src/scan/listed-before.ts',
    'src/scan/match-new-scans.ts',
    'src/scan/recover-launch.ts',
    'src/scan/stored-guidance.ts',
    'src/scan/twins.ts',
  ],
  change: [
    'src/change/access-refused.ts',
    'src/change/base-side-paths.ts',
    'src/change/branch-side.ts',
    'src/change/changed-files.ts',
    'src/change/diff-base.ts',
    'src/change/freshness.ts',
    'src/change/given-base.ts',
    'src/change/guidance-changed.ts',
    'src/change/guidance-file.ts',
    'src/change/last-look.ts',
    'src/change/path-trail.ts',
    'src/change/read-lag.ts',
    'src/domain/guidance.ts',
    'src/change/push-base.ts',
    'src/change/unscanned-paths.ts',
    'src/github/branch-event.ts',
    'src/github/merge-queue.ts',
  ],
  wait: ['src/scan/patience.ts', 'src/scan/poll-interval.ts', 'src/scan/readiness.ts', 'src/scan/wait.ts'],
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
    'src/github/own-reply.ts',
    'src/scan/claimed-scans.ts',
  ],
  triage: [
    'src/github/pull-request-people.ts',
    'src/github/reply.ts',
    'src/triage/change-findings.ts',
    'src/triage/choose-findings.ts',
    'src/triage/command.ts',
    'src/triage/decide.ts',
    'src/triage/note.ts',
    'src/triage/parse-command.ts',
    'src/triage/reply-history.ts',
    'src/triage/reply.ts',
    'src/triage/still-blocking.ts',
    'src/triage/who.ts',
  ],
  proof: [
    'src/domain/free-rerun.ts',
    'src/domain/seal.ts',
    'src/domain/scan-subject.ts',
    'src/scan/launch-time.ts',
    'src/scan/scan-key.ts',
    'src/scan/scan-mark.ts',
  ],
} as const;

/**
 * The modules that carry out the decisions of `POLICY_MODULES` during a run. Only tests that run the whole action show
 * what these modules do.
 */
export const RUN_MODULES: readonly string[] = [
  'src/gate/follow-launched.ts',
  'src/gate/launch-change.ts',
  'src/gate/older-heads.ts',
  'src/gate/recover-change.ts',
  'src/gate/scan-change.ts',
];

/** The modules that decide whether a merge passes or credits are spent. No mutant may survive in them. */
export const WITHOUT_SURVIVORS: readonly string[] = [
  ...POLICY_MODULES.verdict,
  ...POLICY_MODULES.paths,
  ...POLICY_MODULES.launch,
  ...POLICY_MODULES.change,
  ...POLICY_MODULES.proof,
  ...POLICY_MODULES.disclosure,
];
