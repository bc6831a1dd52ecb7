import path from 'node:path';
import { HELP, parseCommandLine, runCommand } from '../sandbox/command-line.ts';

const USAGE = `Usage: npm run preview [-- --pictures]

Writes local pages that show what a reviewer sees. Needs no network.

  --pictures   takes the pictures for the README from the pages, as \`npm run pictures\` does. Needs Chromium
  --help       show this help`;

const OPTIONS = { ...HELP, pictures: { type: 'boolean' } } as const;

await runCommand(async () => {
  const { help, pictures } = parseCommandLine({ options: OPTIONS }, USAGE).values;
  if (help) return console.log(USAGE);
  const { writePreview } = await import('./write-preview.ts');
  const { pullRequest, gallery } = await writePreview();
  console.log(`The pull request: ${pullRequest}`);
  console.log(`Every state:      ${gallery}`);
  if (!pictures) return;
  const { takePictures } = await import('../test/browser/pictures.ts');
  const folder = path.join(import.meta.dirname, '../.github/pictures');
  for (const file of await takePictures(pullRequest, folder)) console.log(file);
});
