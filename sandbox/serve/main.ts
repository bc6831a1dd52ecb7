// Runs the fake scanning service on its own, for developers of a client.
import { readCliOptions, USAGE, UsageError } from './cli-options.ts';

try {
  const choices = readCliOptions(process.argv.slice(2));
  if (choices === 'help') console.log(USAGE);
  else {
    // Loaded only when it is needed, so that the usage is shown at once.
    const { serve } = await import('./serve.ts');
    await serve(choices);
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
