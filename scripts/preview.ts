import { HELP, parseCommandLine, runCommand } from '../sandbox/command-line.ts';

const USAGE = `Usage: npm run preview

Writes local pages that show what a reviewer sees. Needs no network.`;

await runCommand(async () => {
  if (parseCommandLine({ options: HELP }, USAGE).values.help) return console.log(USAGE);
  const { writePreview } = await import('./write-preview.ts');
  const { pullRequest, gallery } = await writePreview();
  console.log(`The pull request: ${pullRequest}`);
  console.log(`Every state:      ${gallery}`);
});
