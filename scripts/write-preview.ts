import { createDemoEnvironment } from '../sandbox/demo/demo-environment.ts';
import { sampleChange } from '../sandbox/demo/local-change.ts';
import { showRun } from '../sandbox/demo/show-run.ts';
import { writePage } from '../sandbox/preview/write-page.ts';
import { galleryPage } from './gallery.ts';

/**
 * Writes two local pages, and returns their addresses. The first shows the sample pull request after two pushes. The
 * second shows all states.
 */
export async function writePreview(): Promise<{ readonly pullRequest: string; readonly gallery: string }> {
  const gallery = writePage('gallery.html', galleryPage());
  const change = await sampleChange();
  try {
    const environment = await createDemoEnvironment(change);
    const push = (headSha: string, runId: number) => {
      environment.github.setHead(environment.pullRequest, headSha);
      const payload = environment.pullRequestPayload({ headSha });
      return environment.run({ event: { name: 'pull_request', payload }, runId });
    };
    try {
      if (change.previousHeadSha !== undefined) await push(change.previousHeadSha, 9_000_000_001);
      const run = await push(change.headSha, 9_000_000_002);
      return { gallery, pullRequest: await showRun(environment, change, run, 'pull-request.html') };
    } finally {
      await environment.close();
    }
  } finally {
    await change.remove();
  }
}
