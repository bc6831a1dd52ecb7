import type { Environment } from '../environment.ts';
import type { ActionRun } from '../runner/action-run.ts';
import { readDiff } from './read-diff.ts';

/** What a reviewer sees of a pull request. */
export type PageModel = Awaited<ReturnType<typeof buildPageModel>>;

/** The change that a run checked, and two texts that the page shows about it. */
export interface ShownChange {
  /** The git repository. It is only read. */
  readonly directory: string;
  readonly title: string;
  readonly baseRef: string;
  readonly headRef: string;
  /** The merge base. */
  readonly baseSha: string;
  readonly headSha: string;
  /** What readers have to know about the fake servers, as plain text. */
  readonly caveat: string;
  /** How much of the change the fake service read, as plain text. Undefined if no scan was completed. */
  readonly coverage: string | undefined;
}

/** Builds the content of the page from the diff, the records of the fake GitHub, and the job summary of the run. */
export async function buildPageModel(
  { repository, pullRequest, github, service }: Environment,
  run: Pick<ActionRun, 'summary' | 'conclusion'>,
  { directory, title, baseRef, headRef, baseSha, headSha, caveat, coverage }: ShownChange,
) {
  return {
    repository,
    number: pullRequest,
    title,
    author: 'octocat',
    baseRef,
    headRef,
    comments: github.comments.filter(({ issue }) => issue === pullRequest),
    job: { event: 'pull_request', conclusion: run.conclusion },
    checks: github.checkRuns.filter((checkRun) => checkRun.headSha === headSha),
    files: await readDiff(directory, baseSha, headSha),
    /** The job summary, in Markdown. */
    summary: run.summary,
    caveat,
    coverage,
    /** The origins of the fake servers. These servers have stopped when the page is read. */
    fakeOrigins: [github.origin, service.origin],
  };
}
