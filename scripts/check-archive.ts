// Checks the archive that a runner fetches before the action starts: how large it is, and how many entries it has.
// Usage: npm run archive [-- FILE]
//   FILE  a tag's archive as GitHub serves it. It must contain what this checkout ships. Default: packs the checkout
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { archiveFacts, differingFiles, packArchive, unpackArchive } from './bench/archive-facts.ts';
import { MOST_ARCHIVE_BYTES, MOST_ARCHIVE_ENTRIES } from './bench/goals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'scangate-archive-'));
try {
  const own = packArchive(folder);
  const [served = own] = process.argv.slice(2);
  const { packedBytes, entries } = archiveFacts(served);
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
} finally {
  rmSync(folder, { recursive: true, force: true });
}
