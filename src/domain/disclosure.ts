import type { ScanTarget } from './target.ts';

/**
 * How much of a finding GitHub shows to all who can read the repository: in the log, the job summary, the check run,
 * the comment and the annotations.
 * - `everything`: the repository is not public.
 * - `without-proof`: it is, and so is the change that was scanned. How to exploit the finding is not.
 * - `labels`: it is, and the scan looked at what a branch holds already. Before it is fixed, it is not published.
 */
export type Disclosure = 'everything' | 'without-proof' | 'labels';

/** @param target undefined where it is not known, and neither is who can read the repository */
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
