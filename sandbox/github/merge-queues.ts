import { ACTIONS_APP_ID, type RequiredChecks } from './protection.ts';

/**
 * How the entries of a group merge. `ALLGREEN`: each entry needs its own checks. `HEADGREEN`: only the checks of the
 * last entry count.
 */
export type Grouping = 'ALLGREEN' | 'HEADGREEN';

/** The merge queue of one branch. */
export interface MergeQueue {
  /** The grouping in each ruleset that requires the queue. Empty if classic branch protection requires the queue. */
  readonly rules: readonly Grouping[];
  /** The grouping that GraphQL shows. */
  readonly mergingStrategy: Grouping;
}

/**
 * Answers `GET /rules/branches/{branch}` with the rules of the queue, the rule that requires checks, and an unrelated
 * `deletion` rule.
 */
export function renderRules(
  queue: MergeQueue | undefined,
  { byRuleset = [] }: RequiredChecks,
  repository: string,
): readonly unknown[] {
  const rule = (id: number, type: string, parameters?: object) => ({
    type,
    ...(parameters && { parameters }),
    ruleset_source_type: 'Repository',
    ruleset_source: repository,
    ruleset_id: id,
  });
  const checks = byRuleset.map((context) => ({ context, integration_id: ACTIONS_APP_ID }));
  return [
    rule(1, 'deletion'),
    ...(queue?.rules ?? []).map((grouping_strategy, index) =>
      rule(index + 2, 'merge_queue', {
        check_response_timeout_minutes: 60,
        grouping_strategy,
        max_entries_to_build: 5,
        max_entries_to_merge: 5,
        merge_method: 'MERGE',
        min_entries_to_merge: 1,
        min_entries_to_merge_wait_minutes: 5,
      }),
    ),
    ...(checks.length === 0
      ? []
      : [
          rule(9, 'required_status_checks', {
            strict_required_status_checks_policy: false,
            required_status_checks: checks,
          }),
        ]),
  ];
}
