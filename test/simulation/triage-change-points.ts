import type { Side } from './fault-kinds.ts';
import type { RequestPoint } from './request-points.ts';

/** A kind of request that the triage action sends for a command that changes findings. */
export interface ChangePoint extends RequestPoint<string> {
  /**
   * When the request is sent:
   * - `before`: before the first change. Without the answer, the action changes no finding.
   * - `change`: the request changes a finding, or checks whether the finding was changed.
   * - `after`: after the last change.
   */
  readonly when: 'before' | 'change' | 'after';
  /** The author of a commit wrote the command, so the action must change no finding. */
  readonly byAuthor?: true;
}

/** All reads that decide whether the command may be obeyed. */
const ADMITTED = ['permission', 'graphql', 'pulls.read', 'pulls.commits', 'check.list', 'run.jobs'];

/** The reads that decide whether a user may change findings. */
const ABOUT_PEOPLE: readonly ChangePoint[] = [
  { ...at('github', 'permission', []), onNewConnection: true },
  { ...at('github', 'pulls.read', ['permission', 'graphql']), name: 'author of the pull request' },
  { ...at('github', 'pulls.commits', ['pulls.read']), name: 'authors of the commits' },
];

export const CHANGE_POINTS: readonly ChangePoint[] = [
  ...ABOUT_PEOPLE,
  ...ABOUT_PEOPLE.map((point) => ({
    ...point,
    name: `${point.name}, for a command by an author`,
    byAuthor: true as const,
  })),
  at('github', 'check.list', ['pulls.commits']),
  at('github', 'run.read', ['check.list']),
  at('github', 'run.jobs', ['run.read']),
  { ...at('service', 'token', []), onNewConnection: true },
  at('service', 'scans.read', ['token']),
  at('service', 'findings.list', ['scans.read']),
  at('github', 'comments.read', ['graphql', 'pulls.commits', 'run.jobs']),
  { ...at('service', 'findings.resolution', ['findings.list']), access: 'write', when: 'change' },
  {
    ...at('service', 'findings.read', ['findings.resolution']),
    name: 'notes after the answer to a status change was lost',
    when: 'change',
    alsoInService: 'change answer lost',
  },
  {
    ...at('service', 'findings.read', ['findings.resolution']),
    name: 'notes after a status change was lost',
    when: 'change',
    alsoInService: 'change lost',
  },
  { ...at('github', 'run.list', ADMITTED), when: 'after' },
  { ...at('github', 'job.rerun', ['run.list']), access: 'write', when: 'after' },
  { ...at('github', 'comments.react', ['job.rerun']), access: 'write', when: 'after' },
  { ...at('github', 'comments.create', ['comments.react']), access: 'write', when: 'after' },
];

function at(side: Side, name: string, after: readonly string[]): ChangePoint {
  return { name, side, access: 'read', at: name, after, head: 'vulnerable', when: 'before' };
}
