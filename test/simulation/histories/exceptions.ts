/** The exceptions to the promises, each with its reason. The summary of the histories counts them. */
export const EXCEPTIONS = {
  // Exceptions for a second launch of one change.
  'asked for': '`reuse-scan: false` asks for another scan.',
  'another pull request': 'A scan that still runs is shared by the runs of one pull request only.',
  twins: 'Jobs that run at the same time do not see each other: both launch, and one of them yields.',
  'no mark': 'The job of the first scan ended, or GitHub failed, before its mark was written.',
  'marks unreadable': 'On a first attempt, check runs that cannot be listed cost a scan, and no verdict.',
  'overwritten mark': 'A workflow with `checks: write` can write over the newest mark.',
  'no trees':
    'GitHub did not show the files of base or head, by which another pull request shares a scan, or `reuse-scan: false` left them out.',
  // Exceptions for a scan of ours that is left running.
  'machine lost': 'Nothing runs after the loss of a machine.',
  'service failed': 'The service did not answer the requests that find or cancel the scan.',
  'same change launched beside': 'Another scan of this very change is as new: it may be the lost one.',
  'commit or base hidden':
    'If the service hides the commit or the base, nothing proves which scan a lost launch created.',
  'marks of others unreadable': 'Another job may have marked the scan, and GitHub does not show it.',
  'wrong id':
    'The service answered a launch with the id of an older scan. The run follows that scan if nothing narrows it. It also follows a scan that no list showed before the launch.',
  // Exceptions for a scan of a stranger that a run uses or cancels.
  'launched like ours':
    'A stranger launched the very same change after the list before our launch, which was lost.',
  'difference hidden':
    'A stranger launched the change with another scope after that list, and the service hides the scope. The scan is cancelled and never believed.',
  // Exceptions for a scan of another job that a run cancels.
  'unmarked twin':
    'Another job launched the very same change while our launch was lost, and it has no mark. It is cancelled.',
} as const;

export type ExceptionKind = keyof typeof EXCEPTIONS;

export type ExceptionCounts = Partial<Record<ExceptionKind, number>>;

export function countException(counts: ExceptionCounts, kind: ExceptionKind): void {
  counts[kind] = (counts[kind] ?? 0) + 1;
}
