/**
 * The modules that make decisions, grouped by decision, and those that carry them out. A mistake in one of them can
 * waste credits, lose trust or let a wrong merge pass.
 */
export const POLICY_MODULES = {
  verdict: [
    'src/domain/verdict.ts',
    'src/domain/finding.ts',
    'src/change/fork-policy.ts',
    'src/runner/input-forms.ts',
  ],
  paths: ['src/domain/path-patterns.ts'],
  disclosure: ['src/domain/target.ts', 'src/preflight/token-check.ts'],
  launch: [
    'src/gate/plan.ts',
    'src/preflight/planned-base.ts',
    'src/scan-api/wire-writes.ts',
    'src/scan/lost-launch.ts',
    'src/scan/new-scans.ts',
  ],
  change: [
    'src/change/superseded.ts',
    'src/change/changed-files.ts',
    'src/change/merge-base.ts',
    'src/change/diff-base.ts',
    'src/change/freshness.ts',
    'src/change/guidance-file.ts',
    'src/domain/guidance.ts',
    'src/change/unscanned-paths.ts',
    'src/github/event.ts',
    'src/github/branch-rules.ts',
  ],
  retry: ['src/github/errors.ts', 'src/http/retry.ts', 'src/scan-api/retry.ts'],
  escapers: [
    'src/text/redact.ts',
    'src/report/prose.ts',
    'src/text/log-text.ts',
    'src/report/markdown.ts',
    'src/text/visible-text.ts',
  ],
  ownership: [
    'src/github/people.ts',
    'src/github/check-run.ts',
    'src/github/comment-marker.ts',
    'src/github/reply.ts',
  ],
  triage: [
    'src/triage/change-findings.ts',
    'src/triage/command.ts',
    'src/triage/decide.ts',
    'src/triage/answer.ts',
    'src/triage/service.ts',
    'src/triage/change-refusal.ts',
  ],
  proof: ['src/domain/comment-state.ts', 'src/domain/seal.ts', 'src/domain/scan.ts', 'src/scan/scan-mark.ts'],
  run: [
    'src/change/pull-request.ts',
    'src/gate/follow-own.ts',
    'src/gate/launch-change.ts',
    'src/gate/older-scans.ts',
    'src/gate/scan-change.ts',
    'src/scan/cancel.ts',
    'src/scan/earlier-scan.ts',
    'src/scan/launch.ts',
    'src/scan/twins.ts',
    'src/scan/wait.ts',
  ],
} as const;

/** The modules that decide whether a merge passes or credits are spent. No mutant may survive in them. */
export const WITHOUT_SURVIVORS: readonly string[] = [
  ...POLICY_MODULES.verdict,
  ...POLICY_MODULES.paths,
  ...POLICY_MODULES.launch,
  ...POLICY_MODULES.change,
  ...POLICY_MODULES.proof,
  ...POLICY_MODULES.disclosure,
];
