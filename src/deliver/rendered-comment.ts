import { joinState, splitState } from '../domain/comment-state.ts';
import { encodeHistory, type HistoryOwner, readHistory } from '../domain/encoded-history.ts';
import { encodePublication } from '../domain/encoded-publication.ts';
import { encodeFreeRerun, type RunAttempt, readFreeRerun } from '../domain/free-rerun.ts';
import type { Reason } from '../domain/not-scanned.ts';
import type { Seal } from '../domain/seal.ts';
import { compareFindings, nextHistory } from '../domain/since-last-push.ts';
import { isScanned } from '../domain/verdict.ts';
import { renderComment } from '../report/comment.ts';
import type { ListedReport } from '../report/report.ts';
import type { SummaryCoverage } from '../report/summary-coverage.ts';

/** The text of the comment, and the state that is hidden in the comment. */
export interface RenderedComment {
  readonly body: string;
  readonly state: string | undefined;
}

/**
 * Composes the comment for a report. Compares the findings with the history that an earlier run left in the comment. If
 * this run could not read findings, the comment keeps that history for the next run.
 * @param states the hidden states of the existing comments; the state of the latest run comes first. Only a history
 * that we signed counts
 */
export function composeComment(
  report: ListedReport,
  head: string,
  mark: string | undefined,
  states: readonly string[],
  {
    owner,
    seal,
    run,
    coverage,
  }: {
    readonly owner: HistoryOwner;
    readonly seal: Seal;
    readonly run: RunAttempt;
    readonly coverage?: SummaryCoverage | undefined;
  },
): RenderedComment {
  const earlier = states.map(splitState);
  const { findings } = report.verdict;
  const before = earlier
    .map(({ history }) => (history === undefined ? undefined : readHistory(history, owner, seal)))
    .find((history) => history !== undefined);
  const scanned = isScanned(report.verdict);
  const state = joinState({
    mark: mark ?? earlier.find((state) => state.mark !== undefined)?.mark,
    history: scanned
      ? encodeHistory(nextHistory(before, head, findings), owner, seal)
      : earlier.find(({ history }) => history !== undefined)?.history,
    publication: scanned
      ? encodedPublicationOf(report, seal)
      : earlier.find(({ publication }) => publication !== undefined)?.publication,
    freeRerun: earlier
      .flatMap(({ freeRerun }) => freeRerun ?? [])
      .flatMap((word) => passOn(word, { owner, seal, run, reason: report.verdict.failure?.reason }) ?? [])[0],
  });
  const since = scanned ? compareFindings(before, head, findings) : undefined;
  return { state, body: renderComment(report, { since, hidden: state?.length ?? 0, coverage }) };
}

/**
 * Returns the entry for the new comment, or undefined to drop it. A sweep of the triage action wrote the entry `word`
 * into the comment. It forbids one attempt of a run to launch scans.
 *
 * - In that attempt, the comment keeps the entry, because a second step of the job may still read it. The entry then
 * also allows the sweep one more re-run.
 * - In an earlier attempt and in another run, the entry stays unchanged.
 * - In a later attempt of the same run, the comment drops the entry. It also drops an entry that we did not sign.
 * - If the token is missing or the setup is wrong, the entry stays unchanged, so that the sweep does not request one
 * more re-run.
 */
function passOn(
  word: string,
  {
    owner,
    seal,
    run,
    reason,
  }: {
    readonly owner: HistoryOwner;
    readonly seal: Seal;
    readonly run: RunAttempt;
    readonly reason: Reason | undefined;
  },
): string | undefined {
  if (reason === 'configuration' || reason === 'missing-token') return word;
  const free = readFreeRerun(word, owner, seal);
  if (free === undefined) return undefined;
  if (free.runId !== run.runId || free.runAttempt > run.runAttempt) return word;
  return free.runAttempt === run.runAttempt
    ? encodeFreeRerun({ ...free, mayRepeat: true }, owner, seal)
    : undefined;
}

function encodedPublicationOf({ scanId, publication }: ListedReport, seal: Seal): string | undefined {
  if (scanId === undefined || publication === undefined) return undefined;
  const { publicId, gated } = publication;
  return encodePublication({ scanId, publicId, gated }, seal);
}
