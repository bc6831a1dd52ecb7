/** The exceptions to the promises, each with its reason. The summary of the histories counts them. */
export const EXCEPTIONS = {
  // Exceptions for a second launch of one change.
  'asked for': 'The workflow sets `reuse-scan: false`, which asks for a new scan.',
  'another pull request':
    'A run reuses a scan of another pull request only if the scan has completed and GitHub shows its mark.',
  twins:
    'Two jobs that run at the same time do not see each other: both launch a scan, and one cancels its own.',
  'no mark':
    'The job that launched the first scan ended before it wrote the mark, or GitHub did not accept the mark.',
  'marks unreadable':
    'GitHub did not list the check runs, so a first attempt could not see the mark. It launched a scan, because it would have no verdict without one.',
  'overwritten mark': 'A workflow with `checks: write` overwrote the newest mark.',
  'no trees':
    'Runs of different pull requests share a scan by the files of base and head. GitHub did not show these files, or `reuse-scan: false` left them out of the mark.',
  // Exceptions for a scan of ours that is left running.
  'machine lost': 'The machine was lost, and no later step of the job ran.',
  'service failed': 'The service did not answer the requests that find, read or cancel the scan.',
  'same change launched beside':
    'Another scan of the same change started after the last list of scans. Either of the two may belong to the lost launch.',
  'commit or base hidden':
    'The service hides the commit or the base, so nothing proves which scan belongs to the lost launch.',
  'marks of others unreadable':
    'GitHub did not show the marks, and another job may have marked the scan as its own.',
  'wrong id':
    'The service answered a launch with the id of an older scan. The run follows the older scan if nothing narrows that scan, or if no list before the launch showed it.',
  // Exceptions for a scan of a stranger that a run uses or cancels.
  'launched like ours':
    'Our launch was lost, and a stranger launched the same change with the same scope after our last list of scans.',
  'difference hidden':
    'Our launch was lost, a stranger launched the change with another scope, and the service hides the scope. The run cancels the scan of the stranger, and never uses its result.',
  // Exceptions for a scan of another job that a run cancels.
  'unmarked twin':
    'Our launch was lost, and another job launched the same change after our last list of scans. Its scan had no mark yet, so the run took it for its own and cancelled it.',
} as const;

export type ExceptionKind = keyof typeof EXCEPTIONS;

export type ExceptionCounts = Partial<Record<ExceptionKind, number>>;

export function countException(counts: ExceptionCounts, kind: ExceptionKind): void {
  counts[kind] = (counts[kind] ?? 0) + 1;
}
