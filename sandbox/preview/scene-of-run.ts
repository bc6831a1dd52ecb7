import type { StoredAnnotation } from '../github/check-annotation.ts';
import type { CheckRunRecord } from '../github/check-runs.ts';
import type { ActionRun } from '../runner/action-run.ts';
import type { Stage } from '../stage.ts';
import { readDiff } from './read-diff.ts';
import type { Scene, SceneAnnotation, SceneCheck } from './scene.ts';

/** The change that a run was about. */
export interface ShownChange {
  /** The git repository; only read. */
  readonly directory: string;
  readonly title: string;
  readonly baseRef: string;
  readonly headRef: string;
  /** The merge base. */
  readonly baseSha: string;
  readonly headSha: string;
  /** What a reader has to know about the stand-ins; plain text. */
  readonly caveat: string;
}

/** What the stand-in of GitHub received by now, and what the run wrote into the job's page. */
export async function sceneOfRun(
  { repository, pullRequest, github, service }: Stage,
  run: Pick<ActionRun, 'summary' | 'conclusion'>,
  { directory, title, baseRef, headRef, baseSha, headSha, caveat }: ShownChange,
): Promise<Scene> {
  return {
    repository,
    number: pullRequest,
    title,
    author: 'octocat',
    baseRef,
    headRef,
    comments: github.comments.filter(({ issue }) => issue === pullRequest),
    job: { event: 'pull_request', conclusion: run.conclusion },
    checks: github.checkRuns.filter((checkRun) => checkRun.headSha === headSha).map(checkOf),
    files: await readDiff(directory, baseSha, headSha),
    summary: run.summary,
    caveat,
    standIns: [github.origin, service.origin],
  };
}

function checkOf({ name, conclusion, output, annotations }: CheckRunRecord): SceneCheck {
  return {
    name,
    conclusion: conclusion ?? undefined,
    title: output?.title ?? '',
    summary: output?.summary ?? '',
    text: output?.text ?? '',
    annotations: annotations.map(annotationOf),
  };
}

function annotationOf(stored: StoredAnnotation): SceneAnnotation {
  const { path, start_line, end_line, annotation_level, title, message, raw_details } = stored;
  return {
    path,
    startLine: start_line,
    endLine: end_line,
    level: annotation_level,
    title: title ?? '',
    message,
    details: raw_details ?? '',
  };
}
