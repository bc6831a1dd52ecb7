import { readHistoryArguments, USAGE, UsageError } from './histories-arguments.ts';

try {
  const selection = readHistoryArguments(process.argv.slice(2));
  if (selection === 'help') console.log(USAGE);
  else {
    const { describeCounts, runHistories } = await import('../test/simulation/histories/run-histories.ts');
    const results = await runHistories(selection);
    console.log(describeCounts(results));
    if (results.broken !== undefined) {
      console.error(results.broken);
      process.exitCode = 1;
    }
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
