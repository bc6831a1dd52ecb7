import { readFileSync } from 'node:fs';
import path from 'node:path';
import { HELP, parseCommandLine, runCommand, UsageError } from '../sandbox/command-line.ts';
import { releaseNotes } from './changelog.ts';

const USAGE = `Usage: npm run release-notes -- TAG

Prints the section of the changelog for TAG.

The exit code is 1 if TAG does not match package.json and the changelog, and 2 if the arguments cannot be used.`;

const root = path.dirname(import.meta.dirname);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

await runCommand(() => {
  const { values, positionals } = parseCommandLine({ options: HELP, allowPositionals: true }, USAGE);
  if (values.help) return console.log(USAGE);
  const [tag = '', ...more] = positionals;
  if (tag === '')
    throw new UsageError(`TAG is missing. Use the tag of a release, such as v1.2.3.\n\n${USAGE}`);
  if (more.length > 0) throw new UsageError(`There is more than one TAG. Use one.\n\n${USAGE}`);
  const { version }: { version?: unknown } = JSON.parse(read('package.json'));
  const notes = releaseNotes(tag, String(version), read('CHANGELOG.md'));
  if (notes.ok) return console.log(notes.text);
  console.error(notes.fault);
  process.exitCode = 1;
});
