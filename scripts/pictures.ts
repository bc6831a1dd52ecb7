// Takes the pictures for the README from the pages of the preview. Needs Chromium.
import path from 'node:path';
import { takePictures } from '../test/browser/pictures.ts';
import { writePreview } from './write-preview.ts';

const { pullRequest } = await writePreview();
const folder = path.join(import.meta.dirname, '../.github/pictures');
for (const file of await takePictures(pullRequest, folder)) console.log(file);
