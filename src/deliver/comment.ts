import { syncComment } from '../github/comment.ts';
import { explainGitHubError } from '../github/github-error.ts';
import type { ReadPullRequest } from '../github/pull-request-state.ts';
import type { Report } from '../report/report.ts';
import type { SummaryCoverage } from '../report/summary-coverage.ts';
import type { Warn } from '../runner/step.ts';
import type { DeliveryDeps } from './place.ts';
import { composeComment } from './rendered-comment.ts';

/**
 * Creates or updates the comment on an open pull request. Returns its address if there is one.
 * @param readPullRequest default: asks GitHub
 */
export async function deliverComment(
  { github, signal, environment, inputs, seal, log }: DeliveryDeps,
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
  const { headSha } = report.target;
  const { checkName } = inputs;
  const wanted = {
    pullRequest,
    headSha,
    checkName,
    runId: environment.runId,
    runAttempt: environment.runAttempt,
    mayCreate: inputs.comment === 'always' || report.verdict.findings.reported.length > 0,
  };
  const contentFor = (states: readonly string[]) =>
    composeComment(report, headSha, mark, states, { owner: wanted, seal, run: environment, coverage });
  const synced = await syncComment(
    github,
    { ...wanted, ...contentFor([]) },
    signal,
    contentFor,
    readPullRequest,
  );
  if (!synced.ok) {
    warn(explainGitHubError(synced.error));
    return undefined;
  }
  const { action, url } = synced.value;
  if (action === 'superseded') log.info('Did not update the comment: a later run wrote it.');
  if (action === 'other-head') log.info('Did not write the comment: the pull request has another head now.');
  return url;
}
