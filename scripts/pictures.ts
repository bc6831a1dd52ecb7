import path from 'node:path';
import { HELP, parseCommandLine, runCommand } from '../sandbox/command-line.ts';

const USAGE = `Usage: npm run pictures

Takes the pictures for the README from the pages of the preview. Needs Chromium.`;

await runCommand(async () => {
  if (parseCommandLine({ options: HELP }, USAGE).values.help) return console.log(USAGE);
  const { writePreview } = await import('./write-preview.ts');
  const { takePictures } = await import('../test/browser/pictures.ts');
  const { pullRequest } = await writePreview();
  const folder = path.join(import.meta.dirname, '../.github/pictures');
  for (const file of await takePictures(pullRequest, folder)) console.log(file);
});
