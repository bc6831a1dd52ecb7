// Writes local pages that show what a reviewer sees. It needs no network.
import { writePreview } from './write-preview.ts';

const { pullRequest, gallery } = await writePreview();
console.log(`The pull request: ${pullRequest}`);
console.log(`Every state:      ${gallery}`);
