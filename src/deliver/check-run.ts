import type { CheckAnnotation } from '../domain/annotation.ts';
import type { Result } from '../domain/result.ts';
import { type CheckRun, type CheckRunIdentity, completeCheckRun } from '../github/check-run.ts';
import { explainGitHubError, type GitHubError } from '../github/github-error.ts';
import type { Annotations } from '../report/annotations.ts';
import { renderCheckOutput } from '../report/check-output.ts';
import type { Report } from '../report/report.ts';
import type { DeliveryWorld, Notice } from './place.ts';

/** The check run of this step: what it is called, and what came of creating it when the scan was launched. */
export interface StepCheckRun {
  readonly identity: CheckRunIdentity;
  readonly started: Result<CheckRun, GitHubError> | undefined;
}

export interface DeliveredCheckRun {
  readonly url: string | undefined;
  /** The verdict stands in it; where it does not, the one that was begun is still in progress. */
  readonly completed: boolean;
  /** Annotations for the next best place. */
  readonly unshown: readonly CheckAnnotation[];
}

/** Completes the step's check run with the annotations. */
export async function deliverCheckRun(
  { github }: Pick<DeliveryWorld, 'github'>,
  report: Report,
  { identity, started }: StepCheckRun,
  annotated: Annotations,
  notice: Notice,
): Promise<DeliveredCheckRun> {
  // A refusal at the launch is a refusal now; anything else is worth another try.
  const refused = started?.ok === false && started.error.kind === 'forbidden' ? started : undefined;
  const completed =
    refused ??
    (await completeCheckRun(github, started?.ok ? started.value.id : undefined, identity, {
      conclusion: report.verdict.conclusion,
      output: renderCheckOutput(report, annotated),
      annotations: annotated.annotations,
    }));
  if (!completed.ok) {
    notice(explainGitHubError(completed.error));
    const url = started?.ok ? started.value.url : undefined;
    return { url, completed: false, unshown: annotated.annotations };
  }
  const { url, refused: unshown, fault } = completed.value;
  if (fault !== undefined) {
    const missing = unshown.length === 1 ? '1 annotation is' : `${unshown.length} annotations are`;
    notice(`${missing} missing on the check run. ${explainGitHubError(fault)}`);
  }
  return { url, completed: true, unshown };
}
