import type { ScanTarget } from './target.ts';

/**
 * How much of a finding GitHub shows to everyone who can read the repository: in the log, the job summary, the check
 * run, the comment and the annotations.
 * - `everything`: the repository is not public.
 * - `without-proof`: the repository and the scanned change are public. How to exploit the finding is withheld.
 * - `labels`: the repository is public, and the scan looked at code that is on a branch already. Details stay private
 * until it is fixed.
 */
export type Disclosure = 'everything' | 'without-proof' | 'labels';

/** @param target undefined if it is not known; then it is not known either who can read the repository */
export function disclosureOf(target: Pick<ScanTarget, 'event' | 'repository'> | undefined): Disclosure {
  if (target?.repository.isPublic === false) return 'everything';
  switch (target?.event) {
    case 'pull_request':
    case 'pull_request_target':
    case 'merge_group':
      return 'without-proof';
    case 'push':
    case 'schedule':
    case 'workflow_dispatch':
    case undefined:
      return 'labels';
  }
}
