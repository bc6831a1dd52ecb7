/** Prints the section of the changelog for a tag. Fails if the tag does not match package.json and the changelog. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { releaseNotes } from './changelog.ts';

const root = path.dirname(import.meta.dirname);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const { version }: { version?: unknown } = JSON.parse(read('package.json'));
const notes = releaseNotes(process.argv[2] ?? '', String(version), read('CHANGELOG.md'));
if (notes.ok) {
  console.log(notes.text);
} else {
  console.error(notes.fault);
  process.exitCode = 1;
}
