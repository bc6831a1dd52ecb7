import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HELP, parseCommandLine, runCommand } from '../../sandbox/command-line.ts';
import { type OwnCost, ownCostOptions, readOwnCost } from './bare-process.ts';
import { median } from './cold-start.ts';
import { type MeasuredRun, measureRun } from './measured-run.ts';

const USAGE = `Usage: npm run bench:scale

Measures the cost of many findings, and prints a table in Markdown. This is not a test: it fails only if it cannot
measure.`;

const FINDINGS = [0, 50, 1_000, 10_000];
const RUNS = 3;
/** Inputs that send the report to all outputs. */
const EVERYWHERE = { 'sarif-file': 'scan.sarif', 'report-file': 'report.json', comment: 'always' };

interface Measured extends OwnCost, Pick<MeasuredRun, 'gitHubRequests' | 'serviceRequestsAfterEnd'> {
  readonly findings: number;
}

await runCommand(async () => {
  if (parseCommandLine({ options: HELP }, USAGE).values.help) return console.log(USAGE);
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-scale-'));
  try {
    const rounds: Measured[][] = [];
    // Each round measures all numbers of findings, so that other work of the machine affects all of them equally.
    for (let round = 0; round < RUNS; round += 1) {
      const measured = [];
      for (const findings of FINDINGS) measured.push(await measure(findings, folder));
      rounds.push(measured);
    }
    for (const line of tableOf(rounds)) console.log(line);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function measure(findings: number, folder: string): Promise<Measured> {
  const file = path.join(folder, 'cost');
  const runOptions = { ...ownCostOptions(file), inputs: EVERYWHERE };
  const { gitHubRequests, serviceRequestsAfterEnd } = await measureRun(findings, 0, {
    crowded: true,
    runOptions,
  });
  return { findings, gitHubRequests, serviceRequestsAfterEnd, ...readOwnCost(file) };
}

function tableOf(rounds: readonly (readonly Measured[])[]): string[] {
  const rows = FINDINGS.map((findings, column) => {
    const runs = rounds.flatMap((round) => round[column] ?? []);
    const ratios = rounds.map((round) => (round[column]?.cpuMs ?? 0) / (round[0]?.cpuMs ?? 0));
    const most = (value: (run: Measured) => number) => Math.max(...runs.map(value));
    return [
      findings.toLocaleString('en'),
      most(({ gitHubRequests }) => gitHubRequests),
      most(({ serviceRequestsAfterEnd }) => serviceRequestsAfterEnd),
      `${Math.ceil(most(({ peakMemory }) => peakMemory))} MiB`,
      `${median(ratios).toFixed(1)} x`,
    ];
  });
  const heads = ['Findings', 'Requests to GitHub', 'To the service after the end', 'Peak memory', 'Own work'];
  return [heads, heads.map(() => '--:'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
