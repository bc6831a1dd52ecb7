/** How the entries of a group merge: each needs its own checks to pass, or only the checks of the last one count. */
export type Grouping = 'ALLGREEN' | 'HEADGREEN';

/** The merge queue of one branch. */
export interface MergeQueue {
  /** One rule for each ruleset that requires the queue. If there is none, branch protection requires it. */
  readonly rules: readonly Grouping[];
  /** The queue as GraphQL shows it. */
  readonly mergingStrategy: Grouping;
}

/** Answers `GET /rules/branches/{branch}`. Rules of other types accompany those of the queue. */
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
