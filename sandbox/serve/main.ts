// Runs the fake scanning service on its own, for developers of a client.
import { runCommand } from '../command-line.ts';
import { readCliOptions, USAGE } from './cli-options.ts';

await runCommand(async () => {
  const choices = readCliOptions(process.argv.slice(2));
  if (choices === 'help') return console.log(USAGE);
  // Loaded only when it is needed, so that the usage is shown at once.
  const { serve } = await import('./serve.ts');
  await serve(choices);
});
