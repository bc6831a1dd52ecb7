import { joinState, readFacts, type StateOwner, sealFacts, splitState } from '../domain/comment-state.ts';
import { compareFindings, nextHistory } from '../domain/history.ts';
import type { Publication } from '../domain/project.ts';
import type { Seal } from '../domain/seal.ts';
import { badnessOf, isScanned } from '../domain/verdict.ts';
import { type CommentContent, syncComment, type WantedComment } from '../github/comment.ts';
import { readOwnComments } from '../github/comment-list.ts';
import { explainGitHubError } from '../github/errors.ts';
import type { SealedAccess } from '../github/octokit.ts';
import type { PullRequestState, ReadPullRequest } from '../github/pull-request-state.ts';
import { renderComment } from '../report/comment.ts';
import type { ListedReport, Report } from '../report/report.ts';
import type { SummaryCoverage } from '../report/summary.ts';
import type { Warn } from '../runner/log.ts';
import { publicScanPage } from '../scan-api/client.ts';
import type { Delivery } from './place.ts';

/**
 * Composes the comment for a report. Compares the findings with the history that an earlier run left in the comment. If
 * this run could not read findings, the comment keeps that history for the next run.
 * @param states the hidden states of the existing comments; the state of the latest run comes first. Only a history
 * that we signed counts
 */
function composeComment(
  report: ListedReport,
  owner: WantedComment,
  mark: string | undefined,
  states: readonly string[],
  seal: Seal,
  coverage?: SummaryCoverage,
): CommentContent {
  const head = owner.headSha;
  const earlier = states.map(splitState);
  const { findings } = report.verdict;
  const { scanId, publication: page } = report;
  const scanned = isScanned(report.verdict);
  const before = earlier
    .map(({ sealed }) => readFacts(sealed, owner, seal).history)
    .find((history) => history !== undefined);
  const publication = scanId === undefined || page === undefined ? undefined : { scanId, ...page };
  const state = joinState({
    mark: mark ?? earlier.find((one) => one.mark !== '')?.mark ?? '',
    badness: badnessOf(report.verdict),
    sealed: scanned
      ? sealFacts({ history: nextHistory(before, head, findings), publication }, owner, seal)
      : (earlier.find(({ sealed }) => sealed !== '')?.sealed ?? ''),
  });
  const since = scanned ? compareFindings(before, head, findings) : undefined;
  return { state, body: renderComment(report, { since, hidden: state.length, coverage }) };
}

/**
 * Creates or updates the comment on an open pull request. Returns its address if there is one.
 * @param readPullRequest default: asks GitHub
 */
export async function deliverComment(
  { github, signal, environment, inputs, seal, log }: Delivery,
  report: Report,
  mark: string | undefined,
  warn: Warn,
  readPullRequest: ReadPullRequest | undefined,
  coverage?: SummaryCoverage,
): Promise<string | undefined> {
  const { number: pullRequest, state } = report.target?.pullRequest ?? {};
  if (pullRequest === undefined || report.target === undefined || inputs.comment === 'never')
    return undefined;
  // After the pull request is closed, the comment keeps its last result.
  if (state === 'closed') return undefined;
  // `labels` occurs only for events without a pull request, which get no comment.
  if (report.disclosure === 'labels') return undefined;
  const { checkName } = inputs;
  const wanted = {
    pullRequest,
    headSha: report.target.headSha,
    checkName,
    runId: environment.runId,
    runAttempt: environment.runAttempt,
    mayCreate: inputs.comment === 'always' || report.verdict.findings.reported.length > 0,
  };
  const contentFor = (states: readonly string[]) =>
    composeComment(report, wanted, mark, states, seal, coverage);
  const synced = await syncComment(github.until(signal), wanted, contentFor, readPullRequest);
  if (!synced.ok) {
    warn(explainGitHubError(synced.error));
    return undefined;
  }
  const { action, url } = synced.value;
  if (action === 'superseded') log.info('Did not update the comment: a later run wrote it.');
  if (action === 'worse') warn(sharedName(checkName));
  if (action === 'other-head') log.info('Did not write the comment: the pull request has another head now.');
  return url;
}

function sharedName(checkName: string): string {
  return `Did not update the comment: another step or job of this run wrote a worse result there, because it also has the \`check-name\` ${JSON.stringify(checkName)}. Give each a \`check-name\` of its own.`;
}

/**
 * Finds the published page of a scan that an earlier run launched. The comment of this check holds the id of
 * the page. The password of the page was an output of the earlier run, and is not known here. Returns undefined if
 * there is no page, or if the comments cannot be read.
 * @param state the pull request; if it does not show all comments, they are requested from GitHub
 */
export async function findEarlierPublication(
  { github, seal, signal }: SealedAccess,
  state: PullRequestState,
  owner: StateOwner,
  scanId: string,
  baseUrl: string,
): Promise<Publication | undefined> {
  const comments = await readOwnComments(github.until(signal), owner.pullRequest, owner.checkName, state);
  if (!comments.ok) return undefined;
  const known = comments.value
    .map(({ state: hidden }) => readFacts(splitState(hidden).sealed, owner, seal).publication)
    .findLast((publication) => publication?.scanId === scanId);
  if (known === undefined) return undefined;
  const { publicId, gated } = known;
  return { publicId, gated, url: publicScanPage(baseUrl, publicId), accessPassword: null };
}
