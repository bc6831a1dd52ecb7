import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MOST_MEMORY } from '../../scripts/bench/goals.ts';
import { ownCostOptions, readOwnCost } from '../../scripts/bench/own-cost.ts';
import { prepareVulnerabilities } from './many-vulnerabilities.ts';

const FINDINGS = 10_000;
const ROW = /^🟠 <b>High: /gm;
const NOT_LISTED = /\*\*(\d+) more findings? did not fit here\.\*\*/;

/** `listed` counts the findings that a list shows. `all` also counts the findings that the list leaves out. */
function counted(markdown: string) {
  const listed = markdown.match(ROW)?.length ?? 0;
  return { listed, all: listed + Number(NOT_LISTED.exec(markdown)?.[1] ?? 0) };
}

test('a run with ten thousand findings needs little memory and few requests', async () => {
  const { environment } = await prepareVulnerabilities(
    { high: FINDINGS, medium: 0 },
    // Uses the bundle, because memory is measured for a whole process.
    { driver: 'bundle', timeScale: 1, service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } } },
  );
  const workspace = mkdtempSync(path.join(tmpdir(), 'scangate-scale-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const cost = path.join(workspace, 'cost');
  const run = await environment.run({
    ...ownCostOptions(cost),
    workspace,
    inputs: { 'sarif-file': 'scan.sarif', 'report-file': 'report.json' },
  });
  const written = (name: string) => JSON.parse(readFileSync(path.join(workspace, name), 'utf8'));

  expect(run.outputs).toMatchObject({ outcome: 'blocked', 'findings-blocking': String(FINDINGS) });
  const asked = environment.service.requests.map(({ point }) => point);
  // The run reads the list in pages of a hundred, and the details of the fifty worst findings.
  expect(asked.length - 1 - asked.lastIndexOf('scans.read')).toBe(FINDINGS / 100 + 50);
  // A run with up to fifty annotations sends nine requests. This run writes 200 annotations, so it sends three more. On
  // a busy machine, it reads the pull request once more before it ends.
  const points = environment.github.requests.map(({ point }) => point);
  const looks = points.filter((point) => point === 'graphql').length;
  expect(points.length - looks).toBeLessThanOrEqual(10);
  expect(looks).toBeLessThanOrEqual(3);

  expect(run.log.match(/^High: .*blocks$/gm)).toHaveLength(FINDINGS);
  const [checkRun] = environment.github.checkRuns;
  const { summary = '', text = '' } = checkRun?.output ?? {};
  for (const list of [environment.github.comments[0]?.body ?? '', run.summary, text ?? '']) {
    expect(counted(list)).toEqual({ listed: expect.any(Number), all: FINDINGS });
    expect(counted(list).listed).toBeGreaterThan(100);
  }
  expect(checkRun?.annotations).toHaveLength(200);
  expect(summary).toContain('Not annotated: the 9800 least severe findings.');
  expect(written('report.json').findings).toHaveLength(FINDINGS);
  const [sarif] = written('scan.sarif').runs;
  expect(sarif.results.length + sarif.properties.findingsLeftOut).toBe(FINDINGS);

  expect(readOwnCost(cost).peakMemory).toBeLessThanOrEqual(MOST_MEMORY);
});
