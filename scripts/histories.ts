import { runCommand } from '../sandbox/command-line.ts';
import { readHistoryArguments, USAGE } from './histories-arguments.ts';

await runCommand(async () => {
  const selection = readHistoryArguments(process.argv.slice(2));
  if (selection === 'help') return console.log(USAGE);
  const { describeCounts, runHistories } = await import('../test/simulation/histories/run-histories.ts');
  const results = await runHistories(selection);
  console.log(describeCounts(results));
  if (results.broken !== undefined) {
    console.error(results.broken);
    process.exitCode = 1;
  }
});
