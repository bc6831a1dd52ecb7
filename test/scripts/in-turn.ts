// Runs scripts in turn in this process. Reads a list of `[file, ...args]` from stdin, and prints a list of the results.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ScriptResult } from './run-scripts.ts';

class Exit extends Error {}

const commands: readonly (readonly [file: string, ...args: string[]])[] = JSON.parse(readFileSync(0, 'utf8'));
const { stdout, stderr } = process;
const print = stdout.write.bind(stdout);
const results: ScriptResult[] = [];
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  throw new Exit();
};
for (const [index, [file, ...args]] of commands.entries()) {
  const printed: unknown[] = [];
  const warned: unknown[] = [];
  stdout.write = (text) => printed.push(text) > 0;
  stderr.write = (text) => warned.push(text) > 0;
  process.argv = [process.execPath, file, ...args];
  process.exitCode = 0;
  // With a query of its own, the script is loaded each time. What it imports is loaded once.
  await import(`${pathToFileURL(file)}?${index}`).catch((error) => {
    if (!(error instanceof Exit)) throw error;
  });
  results.push({ status: Number(process.exitCode), stdout: printed.join(''), stderr: warned.join('') });
}
process.exitCode = 0;
print(JSON.stringify(results));
