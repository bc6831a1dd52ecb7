import type { CommitSeed } from '../../../sandbox/github/pull-requests.ts';
import type { CollaboratorPermission } from '../../../sandbox/github/route.ts';

/** Everyone who comments. The authors of the pull request and of its commits have write access too. */
export const CAST = {
  ada: { role: 'admin' },
  mae: { role: 'maintain' },
  wanda: { role: 'write' },
  octocat: { role: 'write' },
  cora: { role: 'write' },
  kim: { role: 'write' },
  uma: { role: 'write' },
  /** A maintainer removes the write access of this user, and restores it. */
  rex: { role: 'write' },
  tri: { role: 'triage' },
  rea: { role: 'read' },
  mallory: { role: 'none' },
  'helper[bot]': { role: 'write', account: 'bot' },
  /** An app that writes in the name of this user. */
  appy: { role: 'write', account: 'app' },
} as const satisfies Readonly<
  Record<string, { readonly role: CollaboratorPermission; readonly account?: 'bot' | 'app' }>
>;
export type Person = keyof typeof CAST;

export function accountOf(person: Person): 'user' | 'bot' | 'app' {
  const member = CAST[person];
  return 'account' in member ? member.account : 'user';
}

export const AUTHOR: Person = 'octocat';

/** The commits that a push can add to the pull request. */
export const COMMIT_KINDS = [
  'by the author',
  'by cora',
  'committed by kim',
  'merge of the base by uma',
  'without an account',
] as const;
export type CommitKind = (typeof COMMIT_KINDS)[number];

/**
 * @param sha the id of the commit
 * @param last the id of the commit before it in the pull request
 */
export function commitOf(kind: CommitKind, sha: string, last: string): CommitSeed {
  switch (kind) {
    case 'by the author':
      return { sha, author: AUTHOR };
    case 'by cora':
      return { sha, author: 'cora' };
    case 'committed by kim':
      return { sha, author: AUTHOR, committer: 'kim' };
    case 'merge of the base by uma':
      return {
        sha,
        author: 'uma',
        committer: 'web-flow',
        verified: true,
        parents: [last, 'e'.repeat(40)],
      };
    case 'without an account':
      return { sha, author: null };
  }
}

const OWN_WORK: Readonly<Record<CommitKind, readonly Person[]>> = {
  'by the author': [AUTHOR],
  'by cora': ['cora'],
  'committed by kim': [AUTHOR, 'kim'],
  'merge of the base by uma': [],
  'without an account': [],
};

/**
 * True if this user may change findings of a pull request with these commits. Follows only the rules in docs/triage.md.
 */
export function mayChange(
  person: Person,
  role: CollaboratorPermission,
  commits: readonly CommitKind[],
  who: 'others' | 'writers',
): boolean {
  if (accountOf(person) !== 'user') return false;
  if (!['admin', 'maintain', 'write'].includes(role)) return false;
  if (who === 'writers') return true;
  if (person === AUTHOR || commits.includes('without an account')) return false;
  return !commits.some((kind) => OWN_WORK[kind].includes(person));
}
