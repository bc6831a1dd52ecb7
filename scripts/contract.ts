import { runCommand } from '../sandbox/command-line.ts';
import { contractCommand } from './contract/command.ts';

await runCommand(() => {
  const { exitCode, text } = contractCommand(process.argv.slice(2));
  console.log(text);
  process.exitCode = exitCode;
});
