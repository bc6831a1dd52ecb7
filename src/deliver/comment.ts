import { syncComment } from '../github/comment.ts';
import { explainGitHubError } from '../github/github-error.ts';
import { renderComment } from '../report/comment.ts';
import type { Report } from '../report/report.ts';
import type { DeliveryWorld, Notice } from './place.ts';

/** Brings the pull request's comment up to date. Returns its address, where there is one. */
export async function deliverComment(
  { github, environment, inputs, log }: DeliveryWorld,
  report: Report,
  mark: string | undefined,
  notice: Notice,
): Promise<string | undefined> {
  const pullRequest = report.target?.pullRequest?.number;
  if (pullRequest === undefined || report.target === undefined || inputs.comment === 'never')
    return undefined;
  const synced = await syncComment(github, {
    pullRequest,
    headSha: report.target.headSha,
    checkName: inputs.checkName,
    runId: environment.runId,
    runAttempt: environment.runAttempt,
    state: mark,
    body: renderComment(report),
    mayCreate: inputs.comment === 'always' || report.verdict.findings.reported.length > 0,
  });
  if (!synced.ok) {
    notice(explainGitHubError(synced.error));
    return undefined;
  }
  if (synced.value.action === 'superseded') {
    log.info('The comment was left alone: it belongs to a newer commit or a later run.');
  }
  return synced.value.url;
}
