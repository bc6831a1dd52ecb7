import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { HELP, parseCommandLine, runCommand, UsageError } from '../../sandbox/command-line.ts';
import { resolveFromCwd } from '../../sandbox/cwd.ts';
import { archiveFacts, packArchive } from './archive-facts.ts';
import { type NodeCommand, ownCostOptions, readOwnCost, runNode } from './bare-process.ts';
import { bundleFacts } from './bundle-facts.ts';
import { BARE_NODE, median, prepareColdStarts, startRatios } from './cold-start.ts';
import {
  ARCHIVE_BYTES,
  ARCHIVE_ENTRIES,
  FINDINGS,
  HAND_WRITTEN,
  MANY_FINDINGS,
  requestsAt,
  roundTripsAt,
  rowOf,
  sizeOf,
  startOf,
  startToEarlier,
  withFigures,
} from './figures.ts';
import { EARLIER_COMMIT, MOST_SECONDS } from './goals.ts';
import { growthRows } from './growth.ts';
import { measureRun } from './measured-run.ts';
import { prepareEarlier, prepareHandWritten } from './other-action.ts';
import { type Peer, preparePeer } from './peer.ts';
import { type Row, renderTable } from './table.ts';

const USAGE = `Usage: npm run bench [-- [--write] [--other FOLDER]...]

Compares the cost of the bundle with bare Node.js, and the time of the whole action with the time that it waits for
answers. This is not a test: it prints figures, and fails only if it cannot measure.

  --write          writes the figures into docs/performance.md
  --other FOLDER   also measures the start of another JavaScript action. FOLDER contains its action.yml
  --help           show this help`;

const OPTIONS = {
  ...HELP,
  write: { type: 'boolean' },
  other: { type: 'string', multiple: true },
} as const;

const ROUNDS = 40;
const SCRIPT_PAIRS = 9;
const RUNS = 3;
const LATENCY_MS = 100;
/**
 * The delay of each answer when the benchmark counts the round trips of the action. With a long delay, a busy machine
 * distorts the count less.
 */
const CHAIN_LATENCY_MS = 500;
const MANY = 10_000;
const PAGE = path.resolve(import.meta.dirname, '../../docs/performance.md');

const options = (await runCommand(readOptions)) ?? process.exit();
const facts = await bundleFacts();
const [main, post] = facts.entries;
if (main === undefined || post === undefined) throw new Error('action.yml does not name main and post');
const folder = await mkdtemp(path.join(tmpdir(), 'scangate-bench-'));
const starts = await prepareColdStarts(main.file, post.file);
const earlier = await prepareEarlier(path.join(folder, 'earlier'), EARLIER_COMMIT);
const handWritten = await prepareHandWritten(path.join(folder, 'hand-written'));
try {
  const peers: Peer[] = [];
  for (const [index, other] of options.others.entries())
    peers.push(await preparePeer(other, path.join(folder, `peer-${index}`), starts.main.env));
  console.log(
    `Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.`,
  );
  const rows = [
    ...archiveRows(),
    ...facts.entries.map(({ entry, bytes }) => rowOf(sizeOf(entry), bytes)),
    filesRow(),
    ...startRows('main', peers),
    ...startRows('post', []),
    memoryRow('Peak memory of main, an unsupported event, to `node -e 0`', peakOf(starts.main)),
    memoryRow('Peak memory of post, an empty state, to `node -e 0`', peakOf(starts.post)),
    ...growthRows(),
  ];
  for (const findings of FINDINGS) rows.push(...(await runRows(findings)));
  rows.push(await handWrittenRow(), await manyFindingsRow());
  console.log(renderTable(rows));
  console.log(
    `\nStarts, and the run beside the script: processor time in turn, medians of the ratios round by round. Runs: medians of ${RUNS}, each answer after ${LATENCY_MS} ms, the scan ended by the first poll.`,
  );
  if (options.write) {
    const date = new Date().toISOString().slice(0, 10);
    await writeFile(PAGE, withFigures(await readFile(PAGE, 'utf8'), rows, date));
  }
} finally {
  await starts.remove();
  await rm(folder, { recursive: true, force: true });
}

/** Reads the command line. Undefined if the user asks for the usage. Throws `UsageError`. */
function readOptions(): { readonly write: boolean; readonly others: readonly string[] } | undefined {
  const { help, write = false, other = [] } = parseCommandLine({ options: OPTIONS }, USAGE).values;
  if (help) console.log(USAGE);
  const others = other.map((folder) => resolveFromCwd(folder));
  const missing = others.find(
    (folder) => !['action.yml', 'action.yaml'].some((name) => existsSync(path.join(folder, name))),
  );
  if (missing !== undefined) {
    throw new UsageError(`--other: ${missing} has no action.yml. Use the folder of an action.`);
  }
  return help ? undefined : { write, others };
}

function archiveRows(): Row[] {
  const { packedBytes, entries } = archiveFacts(packArchive(path.join(folder, 'archive')));
  return [rowOf(ARCHIVE_BYTES, packedBytes), rowOf(ARCHIVE_ENTRIES, entries.length)];
}

function filesRow(): Row {
  const further = facts.furtherFiles.length;
  return {
    what: 'Files beside one an entry',
    value: String(further),
    goal: { text: '0', met: further === 0 },
  };
}

/**
 * Makes the rows for the start of `main` or `post`. They compare it with bare Node.js and with an earlier bundle. Each
 * action in `peers` gets a row too.
 */
function startRows(entry: 'main' | 'post', peers: readonly Peer[]): Row[] {
  const own = starts[entry];
  const script = entry === 'main' ? 'dist/index.js' : 'dist/post/index.js';
  const before = earlier === undefined ? [] : [{ ...own, args: [path.join(earlier, script)] }];
  const commands = [BARE_NODE, own, ...peers.map(({ command }) => command), ...before];
  const [, toNode = Number.NaN, ...others] = startRatios(commands, ROUNDS);
  const earlierToNode = others[peers.length];
  return [
    rowOf(startOf(entry), toNode),
    earlierToNode === undefined
      ? { what: startToEarlier(entry).what, value: 'not in the history' }
      : rowOf(startToEarlier(entry), toNode / earlierToNode),
    ...peers.map(({ name, bytes }, index) => ({
      what: `Start of ${name} (${(bytes / 1e6).toFixed(2)} MB), to \`node -e 0\``,
      value: `${(others[index] ?? Number.NaN).toFixed(2)} x`,
    })),
  ];
}

async function handWrittenRow(): Promise<Row> {
  const file = path.join(folder, 'cost');
  const cpuOf = async (actionDirectory?: string) => {
    await measureRun(0, 0, { actionDirectory, runOptions: ownCostOptions(file) });
    return readOwnCost(file).cpuMs;
  };
  const ratios: number[] = [];
  for (let pair = 0; pair < SCRIPT_PAIRS; pair += 1) {
    const script = await cpuOf(handWritten);
    ratios.push((await cpuOf()) / script);
  }
  return rowOf(HAND_WRITTEN, median(ratios));
}

/** Makes the row about the memory for many findings. It shows the highest value of a few runs. */
async function manyFindingsRow(): Promise<Row> {
  const file = path.join(folder, 'peak');
  const inputs = { 'sarif-file': 'scan.sarif', 'report-file': 'report.json' };
  const peaks: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await measureRun(MANY, 0, { crowded: true, runOptions: { ...ownCostOptions(file), inputs } });
    peaks.push(readOwnCost(file).peakMemory);
  }
  return rowOf(MANY_FINDINGS, Math.max(...peaks));
}

function peakOf({ args, env }: NodeCommand): number {
  const file = path.join(folder, 'peak');
  const options = ownCostOptions(file);
  const peaks = Array.from({ length: RUNS }, () => {
    runNode({ args: [...options.execArgv, ...args], env: { ...env, ...options.env } });
    return readOwnCost(file).peakMemory;
  });
  return median(peaks);
}

function memoryRow(what: string, peak: number): Row {
  const bare = peakOf(BARE_NODE);
  return {
    what: `${what} (${peak.toFixed(0)} MiB, ${bare.toFixed(0)} MiB)`,
    value: `${(peak / bare).toFixed(2)} x`,
  };
}

async function runRows(findings: number): Promise<Row[]> {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measureRun(findings, LATENCY_MS));
  const [first] = runs;
  if (first === undefined || first.polls !== 1) throw new Error('the scan had not ended by the first poll');
  const seconds = median(runs.map(({ wallMs }) => wallMs)) / 1000;
  const own = median(runs.map(({ wallMs, waitingMs }) => wallMs - waitingMs)) / 1000;
  const file = path.join(folder, 'peak');
  await measureRun(findings, 0, { runOptions: ownCostOptions(file) });
  const pushed = await measureRun(findings, 0, { event: 'synchronize' });
  const reopened = await measureRun(findings, 0, { event: 'reopened' });
  const { roundTrips } = await measureRun(findings, CHAIN_LATENCY_MS);
  const name = `${findings} findings:`;
  return [
    {
      what: `${name} whole action, nothing slept`,
      value: `${seconds.toFixed(2)} s`,
    },
    {
      what: `${name} of it outside waiting for an answer`,
      value: `${own.toFixed(2)} s`,
      goal: { text: `<= ${MOST_SECONDS} s`, met: own <= MOST_SECONDS },
    },
    rowOf(roundTripsAt(findings), roundTrips),
    rowOf(requestsAt(findings, 'opened'), first.gitHubRequests),
    rowOf(requestsAt(findings, 'synchronize'), pushed.gitHubRequests),
    rowOf(requestsAt(findings, 'reopened'), reopened.gitHubRequests),
    { what: `${name} requests to the service`, value: String(first.serviceRequests) },
    memoryRow(`${name} peak memory, to \`node -e 0\``, readOwnCost(file).peakMemory),
  ];
}
