import type { Side } from './fault-kinds.ts';
import type { RequestPoint } from './request-points.ts';

/** A kind of request that the triage action sends. */
export interface TriagePoint extends RequestPoint<string> {
  readonly by: 'comment' | 'sweep';
  /**
   * What happens if the request fails permanently:
   *
   * - `none`: the action does not re-run the job, because it needs the answer.
   * - `same`: the action re-runs the job anyway, because REST answers instead of GraphQL, or because the request comes
   *   after the re-run.
   */
  readonly without: 'none' | 'same';
  /** The job of the gate has passed, so the command gets a reply. */
  readonly jobPassed?: true;
}

export const TRIAGE_POINTS: readonly TriagePoint[] = [
  { ...at('github', 'permission', []), onNewConnection: true },
  { ...at('github', 'graphql', ['permission']), without: 'same' },
  { ...at('github', 'pulls.read', ['permission', 'graphql']), alsoInGitHub: 'GraphQL refused' },
  at('github', 'check.list', ['graphql']),
  { ...at('service', 'token', []), onNewConnection: true },
  at('service', 'scans.read', ['token']),
  at('github', 'run.read', ['check.list']),
  at('github', 'run.list', ['run.read']),
  at('github', 'run.jobs', ['run.list']),
  { ...at('github', 'job.rerun', ['run.jobs', 'graphql']), access: 'write' },
  { ...at('github', 'comments.react', ['job.rerun']), access: 'write', without: 'same' },
  {
    ...at('github', 'comments.create', ['comments.react']),
    access: 'write',
    without: 'same',
    jobPassed: true,
  },
  {
    ...at('github', 'graphql', []),
    name: 'sweep: graphql',
    by: 'sweep',
    without: 'same',
    onNewConnection: true,
  },
  {
    ...at('github', 'pulls.list', ['graphql']),
    name: 'sweep: pulls.list',
    by: 'sweep',
    alsoInGitHub: 'GraphQL refused',
  },
  { ...at('github', 'comments.list', ['check.list']), name: 'sweep: comments.list', by: 'sweep' },
  { ...at('service', 'findings.list', ['scans.read']), name: 'sweep: findings.list', by: 'sweep' },
];

function at(side: Side, name: string, after: readonly string[]): TriagePoint {
  return {
    name,
    side,
    access: 'read',
    at: name,
    after,
    head: 'vulnerable',
    by: 'comment',
    without: 'none',
  };
}
