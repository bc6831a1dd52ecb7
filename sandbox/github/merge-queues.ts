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

/** Answers `GET /rules/branches/{branch}` with the rules of the queue and an unrelated `deletion` rule. */
export function renderRules(queue: MergeQueue | undefined, repository: string): readonly unknown[] {
  const source = { ruleset_source_type: 'Repository', ruleset_source: repository };
  const rules = (queue?.rules ?? []).map((grouping, index) => ({
    type: 'merge_queue',
    parameters: {
      check_response_timeout_minutes: 60,
      grouping_strategy: grouping,
      max_entries_to_build: 5,
      max_entries_to_merge: 5,
      merge_method: 'MERGE',
      min_entries_to_merge: 1,
      min_entries_to_merge_wait_minutes: 5,
    },
    ...source,
    ruleset_id: index + 2,
  }));
  return [{ type: 'deletion', ...source, ruleset_id: 1 }, ...rules];
}
