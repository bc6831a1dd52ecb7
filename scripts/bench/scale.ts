import { HELP, parseCommandLine, runCommand } from '../../sandbox/command-line.ts';
import { median } from './cold-start.ts';
import { type MeasuredRun, measureRun } from './measured-run.ts';

const USAGE = `Usage: npm run bench:scale

Measures the cost of many findings, and prints a table in Markdown. This is not a test: it fails only if it cannot
measure.`;

const FINDINGS = [0, 50, 1_000, 10_000];
const RUNS = 3;
const HEADS = ['Findings', 'Requests to GitHub', 'To the service after the end', 'Peak memory', 'Own work'];

await runCommand(async () => {
  if (parseCommandLine({ options: HELP }, USAGE).values.help) return console.log(USAGE);
  const rounds: MeasuredRun[][] = [];
  // Each round measures all numbers of findings, so that other work of the machine affects all of them equally.
  for (let round = 0; round < RUNS; round += 1) {
    const measured = [];
    for (const findings of FINDINGS) measured.push(await measureRun(findings, { everywhere: true }));
    rounds.push(measured);
  }
  const rows = FINDINGS.map((findings, column) => {
    const runs = rounds.flatMap((round) => round[column] ?? []);
    const ratios = rounds.map((round) => (round[column]?.cpuMs ?? 0) / (round[0]?.cpuMs ?? 0));
    const most = (value: (run: MeasuredRun) => number) => Math.max(...runs.map(value));
    return [
      findings.toLocaleString('en'),
      most(({ gitHubRequests }) => gitHubRequests),
      most(({ serviceRequestsAfterEnd }) => serviceRequestsAfterEnd),
      `${Math.ceil(most(({ peakMemory }) => peakMemory))} MiB`,
      `${median(ratios).toFixed(1)} x`,
    ];
  });
  for (const cells of [HEADS, HEADS.map(() => '--:'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
});
