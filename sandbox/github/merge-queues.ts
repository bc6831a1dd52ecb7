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
): readonly unknown[] {
  const checks = byRuleset.map((context) => ({ context, integration_id: ACTIONS_APP_ID }));
  return [
    { type: 'deletion', ruleset_id: 1 },
    ...(queue?.rules ?? []).map((grouping_strategy, index) => ({
      type: 'merge_queue',
      parameters: { grouping_strategy },
      ruleset_id: index + 2,
    })),
    ...(checks.length === 0
      ? []
      : [{ type: 'required_status_checks', parameters: { required_status_checks: checks }, ruleset_id: 9 }]),
  ];
}
