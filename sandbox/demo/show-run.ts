import { pullRequestPage } from '../preview/pull-request-page.ts';
import { sceneOfRun } from '../preview/scene-of-run.ts';
import { writePage } from '../preview/write-page.ts';
import type { ActionRun } from '../runner/action-run.ts';
import type { Stage } from '../stage.ts';
import { type LocalChange, mergeBases } from './local-change.ts';
import { sayCoverage } from './say-coverage.ts';

/** Writes the pull request after the run as a local page, and returns its address. */
export async function showRun(stage: Stage, change: LocalChange, run: ActionRun): Promise<string> {
  const [mergeBase] = await mergeBases(change);
  const scene = await sceneOfRun(stage, run, {
    ...change,
    title: change.headRef.replaceAll('-', ' '),
    baseSha: mergeBase ?? change.baseSha,
    caveat: await sayCoverage(change),
  });
  return writePage('pull-request.html', pullRequestPage(scene));
}
