import type { ScanTarget } from './target.ts';

/**
 * What GitHub shows of a finding to everyone who can read the repository. A repository counts as public if its
 * visibility is unknown.
 * - `everything`: the repository is not public.
 * - `without-proof`: the repository and the scanned change are public. The report withholds how to exploit the finding.
 * - `labels`: the repository is public, and the scanned code is on a branch already. The report shows only labels,
 * because attackers could use the details until the code is fixed.
 */
export type Disclosure = 'everything' | 'without-proof' | 'labels';

/** @param target undefined if the run could not read it; the repository then counts as public */
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
