import type { Environment } from '../environment.ts';
import { buildPageModel } from '../preview/build-page-model.ts';
import { pullRequestPage } from '../preview/pull-request-page.ts';
import { writePage } from '../preview/write-page.ts';
import type { ActionRun } from '../runner/action-run.ts';
import { countsOf, coverageOf, describeCoverage } from './describe-coverage.ts';
import { type LocalChange, mergeBases } from './local-change.ts';

/** Writes a local page that shows the pull request after the run. Returns its address. @param file the page's name */
export async function showRun(
  environment: Environment,
  change: LocalChange,
  run: ActionRun,
  file: string,
): Promise<string> {
  const coverage = coverageOf(environment.service, run);
  const [mergeBase] = await mergeBases(change);
  const model = await buildPageModel(environment, run, change, mergeBase ?? change.baseSha, {
    caveat: describeCoverage(coverage),
    coverage: coverage && countsOf(coverage),
  });
  return writePage(file, pullRequestPage(model));
}
