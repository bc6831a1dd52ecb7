/** How the entries of a group merge: each by its own checks, or all by those of the last one. */
export type Grouping = 'ALLGREEN' | 'HEADGREEN';

/** The merge queue of one branch. */
export interface MergeQueue {
  /** One rule for each ruleset that asks for the queue; none: branch protection does. */
  readonly rules: readonly Grouping[];
  /** As GraphQL shows it. */
  readonly mergingStrategy: Grouping;
}

/** `GET /rules/branches/{branch}`: rules of other types stand beside those of the queue. */
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
