// The benchmark: what the bundle costs beside bare Node, and what the whole action costs beside waiting.
// It is no test: it judges nothing but prints, and fails only where it could not measure.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { type NodeCommand, ownCostOptions, readOwnCost, runNode } from './bare-process.ts';
import { bundleFacts } from './bundle-facts.ts';
import { BARE_NODE, median, prepareColdStarts, startRatio } from './cold-start.ts';
import {
  MOST_BYTES,
  MOST_GITHUB_REQUESTS,
  MOST_ROUND_TRIPS,
  MOST_SECONDS,
  MOST_START_RATIO,
} from './goals.ts';
import { growthRows } from './growth.ts';
import { measureRun } from './measured-run.ts';
import { type Row, renderTable } from './table.ts';

const PAIRS = 40;
const RUNS = 3;
const LATENCY_MS = 100;
const FINDINGS = Object.keys(MOST_ROUND_TRIPS).map(Number);

const facts = await bundleFacts();
const [main, post] = facts.entries;
if (main === undefined || post === undefined) throw new Error('action.yml does not name main and post');
const folder = await mkdtemp(path.join(tmpdir(), 'scangate-bench-'));
const starts = await prepareColdStarts(main.file, post.file);
try {
  console.log(
    `Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.`,
  );
  const rows = [
    ...facts.entries.map(sizeRow),
    filesRow(),
    startRow('Start of main, an unsupported event, to `node -e 0`', starts.main),
    startRow('Start of post, an empty state, to `node -e 0`', starts.post),
    memoryRow('Peak memory of main, an unsupported event, to `node -e 0`', peakOf(starts.main)),
    memoryRow('Peak memory of post, an empty state, to `node -e 0`', peakOf(starts.post)),
    ...growthRows(),
  ];
  for (const findings of FINDINGS) rows.push(...(await runRows(findings)));
  console.log(renderTable(rows));
  console.log(
    `\nStarts: medians of ${PAIRS} pairs in turn, the ratio pair by pair. Runs: medians of ${RUNS}, each answer after ${LATENCY_MS} ms, the scan ended by the first poll.`,
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

function startRow(what: string, command: NodeCommand): Row {
  const { ratio, ms, bareMs } = startRatio(command, PAIRS);
  return {
    what: `${what} (${ms.toFixed(0)} ms, ${bareMs.toFixed(0)} ms)`,
    value: `${ratio.toFixed(2)} x`,
    goal: { text: `<= ${MOST_START_RATIO} x`, met: ratio <= MOST_START_RATIO },
  };
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
