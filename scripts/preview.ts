// Two local pages to look at: the sample's pull request as a reviewer sees it, and every state side by side.
import { sampleChange } from '../src/sandbox/demo/local-change.ts';
import { showRun } from '../src/sandbox/demo/show-run.ts';
import { stageFor } from '../src/sandbox/demo/stage-for.ts';
import { writePage } from '../src/sandbox/preview/write-page.ts';
import { EVERY_STATE } from './every-state.ts';
import { galleryPage } from './gallery.ts';

const change = await sampleChange();
try {
  const stage = await stageFor(change);
  try {
    const run = await stage.run();
    console.log(`The pull request: ${await showRun(stage, change, run)}`);
  } finally {
    await stage.close();
  }
} finally {
  await change.remove();
}
console.log(`Every state:      ${writePage('gallery.html', galleryPage(EVERY_STATE))}`);
