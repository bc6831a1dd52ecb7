import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { HELP, parseCommandLine, runCommand } from '../../sandbox/command-line.ts';
import { archiveFacts, packArchive } from './archive-facts.ts';
import { bundleFacts } from './bundle-facts.ts';
import { median, startRatio } from './cold-start.ts';
import {
  ARCHIVE_BYTES,
  ARCHIVE_ENTRIES,
  FINDINGS,
  figuresTable,
  HAND_WRITTEN,
  MANY_FINDINGS,
  type Measured,
  requestsAt,
  roundTripsAt,
  sizeOf,
  startOf,
  withFigures,
} from './figures.ts';
import { measureRun, PULL_REQUEST_ACTIONS } from './measured-run.ts';

const USAGE = `Usage: npm run bench [-- --write]

Compares the cost of the bundle with bare Node.js and with a hand-written script, and counts the answers that a run
waits for. This is not a test: it prints figures, and fails only if it cannot measure.

  --write   writes the figures into docs/performance.md
  --help    show this help`;

const OPTIONS = { ...HELP, write: { type: 'boolean' } } as const;

const ROUNDS = 40;
const SCRIPT_PAIRS = 9;
const RUNS = 3;
/** The delay of each answer. With a long delay, a busy machine distorts the number of round trips less. */
const LATENCY_MS = 500;
const MANY = 10_000;
const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(ROOT, 'docs/performance.md');

await runCommand(async () => {
  const { help, write } = parseCommandLine({ options: OPTIONS }, USAGE).values;
  if (help) return console.log(USAGE);
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-bench-'));
  try {
    const figures = [...(await measureFiles(folder)), ...measureStarts(), ...(await measureRuns(folder))];
    console.log(
      `Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.`,
    );
    console.log(figuresTable(figures));
    if (!write) return;
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), figuresTable(figures), date));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function measureFiles(folder: string): Promise<Measured[]> {
  const { packedBytes, entries } = archiveFacts(packArchive(path.join(folder, 'archive')));
  const bundles = (await bundleFacts()).entries;
  return [
    [ARCHIVE_BYTES, packedBytes],
    [ARCHIVE_ENTRIES, entries.length],
    ...bundles.map(({ entry, bytes }): Measured => [sizeOf(entry), bytes]),
  ];
}

/** Compares the starts with bare Node.js. */
function measureStarts(): Measured[] {
  const scripts = { main: 'dist/index.js', post: 'dist/post/index.js' };
  return (['main', 'post'] as const).map((entry) => [
    startOf(entry),
    startRatio(entry, path.join(ROOT, scripts[entry]), ROUNDS),
  ]);
}

async function measureRuns(folder: string): Promise<Measured[]> {
  const handWritten = makeAction(path.join(folder, 'hand-written'));
  const ratios: number[] = [];
  for (let pair = 0; pair < SCRIPT_PAIRS; pair += 1) {
    const script = await measureRun(0, { actionDirectory: handWritten });
    ratios.push((await measureRun(0)).cpuMs / script.cpuMs);
  }
  const roundTrips: Measured[] = [];
  for (const findings of FINDINGS) {
    const run = await measureRun(findings, { latencyMs: LATENCY_MS });
    if (run.polls !== 1) throw new Error('the scan had not ended by the first poll');
    roundTrips.push([roundTripsAt(findings), run.roundTrips]);
  }
  const most = Math.max(...FINDINGS);
  const requests: Measured[] = [];
  for (const event of PULL_REQUEST_ACTIONS)
    requests.push([requestsAt(most, event), (await measureRun(most, { event })).gitHubRequests]);
  const peaks: number[] = [];
  for (let run = 0; run < RUNS; run += 1)
    peaks.push((await measureRun(MANY, { everywhere: true })).peakMemory);
  return [[HAND_WRITTEN, median(ratios)], ...roundTrips, ...requests, [MANY_FINDINGS, Math.max(...peaks)]];
}

/** Makes an action whose `main` is the hand-written script. @returns its folder */
function makeAction(folder: string): string {
  mkdirSync(path.join(folder, 'dist'), { recursive: true });
  for (const file of ['action.yml', 'dist/package.json'])
    copyFileSync(path.join(ROOT, file), path.join(folder, file));
  copyFileSync(path.join(import.meta.dirname, 'hand-written.mjs'), path.join(folder, 'dist/index.js'));
  return folder;
}
