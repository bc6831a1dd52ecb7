import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HELP, parseCommandLine, runCommand, UsageError } from '../sandbox/command-line.ts';
import { resolveFromCwd } from '../sandbox/cwd.ts';
import { archiveFacts, differingFiles, packArchive, unpackArchive } from './bench/archive-facts.ts';
import { MOST_ARCHIVE_BYTES, MOST_ARCHIVE_ENTRIES } from './bench/goals.ts';

const USAGE = `Usage: npm run archive [-- FILE]

Checks the archive that a runner fetches before the action starts: how large it is, and how many entries it has.

  FILE     a tag's archive as GitHub serves it. It must contain what this checkout ships. Default: packs the checkout
  --help   show this help

The exit code is 0 if the archive is as it should be, 1 if it is not, and 2 if FILE cannot be used.`;

await runCommand(() => {
  const { values, positionals } = parseCommandLine({ options: HELP, allowPositionals: true }, USAGE);
  if (values.help) return console.log(USAGE);
  const [given, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`There is more than one FILE. Use one.\n\n${USAGE}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-archive-'));
  try {
    check(given === undefined ? undefined : resolveFromCwd(given), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param given the archive to check. Undefined to pack the checkout. @param folder for temporary files */
function check(given: string | undefined, folder: string): void {
  if (given !== undefined && !existsSync(given)) {
    throw new UsageError(`${given} does not exist. Use the path of a .tar.gz archive.`);
  }
  const own = packArchive(folder);
  const served = given ?? own;
  const { packedBytes, entries } = factsOf(served);
  console.log(`${(packedBytes / 1e6).toFixed(3)} MB packed, ${entries.length} entries:`);
  for (const entry of entries) console.log(`  ${entry}`);
  const differing = differingFiles(
    unpackArchive(served, path.join(folder, 'served')),
    unpackArchive(own, path.join(folder, 'own')),
  );
  const faults = [
    ...(packedBytes > MOST_ARCHIVE_BYTES ? [`It has more than ${MOST_ARCHIVE_BYTES / 1e6} MB.`] : []),
    ...(entries.length > MOST_ARCHIVE_ENTRIES ? [`It has more than ${MOST_ARCHIVE_ENTRIES} entries.`] : []),
    ...differing.map((file) => `It differs from the checkout: ${file}`),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function factsOf(file: string) {
  try {
    return archiveFacts(file);
  } catch {
    throw new UsageError(`${file} is not a .tar.gz archive. Use the path of one.`);
  }
}
