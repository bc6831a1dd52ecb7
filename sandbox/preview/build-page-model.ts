import type { LocalChange } from '../demo/local-change.ts';
import type { Environment } from '../environment.ts';
import type { ActionRun } from '../runner/action-run.ts';
import { readDiff } from './read-diff.ts';

/** What a reviewer sees of a pull request. */
export type PageModel = Awaited<ReturnType<typeof buildPageModel>>;

/**
 * Builds the content of the page from the diff, the records of the fake GitHub, and the job summary of the run.
 * @param texts two plain texts: what readers have to know about the fake servers, and how much of the change the fake
 * service read. The second is undefined if no scan was completed
 */
export async function buildPageModel(
  { repository, pullRequest, github, service }: Environment,
  run: Pick<ActionRun, 'summary' | 'conclusion'>,
  { directory, baseRef, headRef, headSha }: LocalChange,
  mergeBase: string,
  texts: { readonly caveat: string; readonly coverage: string | undefined },
) {
  return {
    repository,
    number: pullRequest,
    title: headRef.replaceAll('-', ' '),
    author: 'octocat',
    baseRef,
    headRef,
    comments: github.comments.filter(({ issue }) => issue === pullRequest),
    job: { event: 'pull_request', conclusion: run.conclusion },
    checks: github.checkRuns.filter((checkRun) => checkRun.headSha === headSha),
    files: await readDiff(directory, mergeBase, headSha),
    /** The job summary, in Markdown. */
    summary: run.summary,
    ...texts,
    /** The origins of the fake servers. These servers have stopped when the page is read. */
    fakeOrigins: [github.origin, service.origin],
  };
}
