// The benchmark: what the bundle costs beside bare Node, and what the whole action costs beside waiting.
// It is no test: it judges nothing but prints, and fails only where it could not measure.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { type NodeCommand, ownCostOptions, readOwnCost, runNode } from './bare-process.ts';
import { bundleFacts } from './bundle-facts.ts';
import { BARE_NODE, median, prepareColdStarts, startRatios } from './cold-start.ts';
import {
  EARLIER_COMMIT,
  MOST_BYTES,
  MOST_GITHUB_REQUESTS,
  MOST_ROUND_TRIPS,
  MOST_SECONDS,
  MOST_START_RATIOS,
  MOST_TO_EARLIER,
  MOST_TO_HAND_WRITTEN,
} from './goals.ts';
import { growthRows } from './growth.ts';
import { measureRun } from './measured-run.ts';
import { prepareEarlier, prepareHandWritten } from './other-action.ts';
import { type Row, renderTable } from './table.ts';

const ROUNDS = 40;
const SCRIPT_PAIRS = 9;
const RUNS = 3;
const LATENCY_MS = 100;
const FINDINGS = Object.keys(MOST_ROUND_TRIPS).map(Number);

const facts = await bundleFacts();
const [main, post] = facts.entries;
if (main === undefined || post === undefined) throw new Error('action.yml does not name main and post');
const folder = await mkdtemp(path.join(tmpdir(), 'scangate-bench-'));
const starts = await prepareColdStarts(main.file, post.file);
const earlier = await prepareEarlier(path.join(folder, 'earlier'), EARLIER_COMMIT);
const handWritten = await prepareHandWritten(path.join(folder, 'hand-written'));
try {
  console.log(
    `Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.`,
  );
  const rows = [
    ...facts.entries.map(sizeRow),
    filesRow(),
    ...startRows('main', 'an unsupported event'),
    ...startRows('post', 'an empty state'),
    memoryRow('Peak memory of main, an unsupported event, to `node -e 0`', peakOf(starts.main)),
    memoryRow('Peak memory of post, an empty state, to `node -e 0`', peakOf(starts.post)),
    ...growthRows(),
  ];
  for (const findings of FINDINGS) rows.push(...(await runRows(findings)));
  rows.push(await handWrittenRow());
  console.log(renderTable(rows));
  console.log(
    `\nStarts, and the run beside the script: processor time in turn, medians of the ratios round by round. Runs: medians of ${RUNS}, each answer after ${LATENCY_MS} ms, the scan ended by the first poll.`,
  );
} finally {
  await starts.remove();
  await rm(folder, { recursive: true, force: true });
}

function sizeRow({ entry, bytes }: { entry: string; bytes: number }): Row {
  const most = MOST_BYTES[entry] ?? 0;
  return {
    what: `Size of ${entry}`,
    value: `${(bytes / 1e6).toFixed(3)} MB`,
    goal: { text: `<= ${most / 1e6} MB`, met: bytes <= most },
  };
}

function filesRow(): Row {
  const further = facts.furtherFiles.length;
  return {
    what: 'Files beside one an entry',
    value: String(further),
    goal: { text: '0', met: further === 0 },
  };
}

/** Its start to that of bare Node, and to that of the earlier bundle. */
function startRows(entry: 'main' | 'post', how: string): Row[] {
  const own = starts[entry];
  const script = entry === 'main' ? 'dist/index.js' : 'dist/post/index.js';
  const before = earlier === undefined ? [] : [{ ...own, args: [path.join(earlier, script)] }];
  const commands = [BARE_NODE, own, ...before];
  const [, toNode = Number.NaN, earlierToNode] = startRatios(commands, ROUNDS);
  const what = `Start of ${entry}, ${how}, to`;
  const toEarlier = `${what} the bundle of ${EARLIER_COMMIT}`;
  return [
    ratioRow(`${what} \`node -e 0\``, toNode, MOST_START_RATIOS[entry]),
    earlierToNode === undefined
      ? { what: toEarlier, value: 'not in the history' }
      : ratioRow(toEarlier, toNode / earlierToNode, MOST_TO_EARLIER),
  ];
}

function ratioRow(what: string, ratio: number, most: number): Row {
  return { what, value: `${ratio.toFixed(2)} x`, goal: { text: `<= ${most} x`, met: ratio <= most } };
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
  return ratioRow(
    'A run without findings, to a hand-written script with the same requests',
    median(ratios),
    MOST_TO_HAND_WRITTEN,
  );
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
  const name = `${findings} findings:`;
  const mostTrips = MOST_ROUND_TRIPS[findings] ?? 0;
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
    {
      what: `${name} answers waited for one after the other`,
      value: String(first.roundTrips),
      goal: { text: `<= ${mostTrips}`, met: first.roundTrips <= mostTrips },
    },
    {
      what: `${name} requests to GitHub`,
      value: String(first.gitHubRequests),
      goal: { text: `<= ${MOST_GITHUB_REQUESTS}`, met: first.gitHubRequests <= MOST_GITHUB_REQUESTS },
    },
    { what: `${name} requests to the service`, value: String(first.serviceRequests) },
    memoryRow(`${name} peak memory, to \`node -e 0\``, readOwnCost(file).peakMemory),
  ];
}
