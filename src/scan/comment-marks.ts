import { splitState } from '../domain/comment-state.ts';
import type { Seal } from '../domain/seal.ts';
import { ownComments } from '../github/own-comment.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import { readMark, type ScanMark } from './scan-mark.ts';

/** Returns the proven marks in our comments on a pull request. The marks of the newest comment come first. Pure. */
export function marksInComments(
  { comments = [], viewer }: Pick<PullRequestState, 'comments' | 'viewer'>,
  checkName: string,
  seal: Seal,
): readonly (ScanMark & { readonly checkRun: undefined })[] {
  return ownComments(comments, checkName, viewer)
    .toReversed()
    .flatMap(({ state }) => {
      const mark = readMark(splitState(state).mark ?? '', seal);
      return mark === undefined ? [] : [{ ...mark, checkRun: undefined }];
    });
}
