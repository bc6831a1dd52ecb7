// Local pages to look at: what a reviewer sees, without a network.
import { writePreview } from './write-preview.ts';

const { pullRequest, gallery } = await writePreview();
console.log(`The pull request: ${pullRequest}`);
console.log(`Every state:      ${gallery}`);
