import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { MOST_MEMORY } from '../../scripts/bench/goals.ts';
import { ownCostOptions, readOwnCost } from '../../scripts/bench/own-cost.ts';
import { outputs } from './ends.ts';
import { detail, finding, listing } from './findings.ts';
import { type End, testRuns } from './run-rows.ts';

const FINDINGS = 10_000;
const ROW = /^🟠 <b>High: /gm;
const NOT_LISTED = /\*\*(\d+) more findings? did not fit here\.\*\*/;
const cost = path.join(mkdtempSync(path.join(tmpdir(), 'scangate-scale-')), 'cost');

/** `listed` counts the findings that a list shows. `all` also counts the findings that the list leaves out. */
function counted(markdown: string) {
  const listed = markdown.match(ROW)?.length ?? 0;
  return { listed, all: listed + Number(NOT_LISTED.exec(markdown)?.[1] ?? 0) };
}

const findings = Array.from({ length: FINDINGS }, (_, index) =>
  finding(`vln_${String(index).padStart(24, '0')}`, 'HIGH', {
    title: 'SQL statement built from a variable',
    cwe: 'CWE-89',
    scanId: 'scan_e98eb2b333a72571db58',
    repositoryId: 'repo_octo-repo',
    aiSeverity: 'HIGH',
    resolutionStatus: 'OPEN',
    filePath: `src/part${Math.floor(index / 40)}.js`,
    startLine: (index % 40) + 1,
    endLine: (index % 40) + 1,
    createdAt: '2026-01-15T12:00:00.000Z',
  }),
);

/** The run reads the list in pages of a hundred, and the details of the fifty worst findings. */
const readsOnce: End = ({ environment }) => {
  const asked = environment.service.requests.map(({ point }) => point);
  expect(asked.length - 1 - asked.lastIndexOf('scans.read')).toBe(FINDINGS / 100 + 50);
  // A run with up to fifty annotations sends nine requests. This run writes 200 annotations, so it sends three more. On
  // a busy machine, it reads the pull request once more before it ends.
  const points = environment.github.requests.map(({ point }) => point);
  const looks = points.filter((point) => point === 'graphql').length;
  expect(points.length - looks).toBeLessThanOrEqual(10);
  expect(looks).toBeLessThanOrEqual(3);
};
const countsAll: End = ({ run, environment: { github } }) => {
  expect(run.log.match(/^High: .*blocks$/gm)).toHaveLength(FINDINGS);
  const [checkRun] = github.checkRuns;
  for (const list of [github.comments[0]?.body ?? '', run.summary, checkRun?.output.text ?? '']) {
    expect(counted(list).all).toBe(FINDINGS);
    expect(counted(list).listed).toBeGreaterThan(100);
  }
  expect(checkRun?.annotations).toHaveLength(200);
  expect(checkRun?.output.summary).toContain('Not annotated: the 9800 least severe findings.');
  const written = (output: string) => JSON.parse(readFileSync(run.outputs[output] ?? '', 'utf8'));
  expect(written('report-file').findings).toHaveLength(FINDINGS);
  const [sarif] = written('sarif-file').runs;
  expect(sarif.results.length + sarif.properties.findingsLeftOut).toBe(FINDINGS);
};
const needsLittleMemory: End = () => {
  const { peakMemory } = readOwnCost(cost);
  expect(peakMemory).toBeLessThanOrEqual(MOST_MEMORY);
};

// On a busy machine, V8 sometimes collects garbage later, and needs more memory.
describe('ten thousand findings', { retry: 2 }, () =>
  testRuns([
    {
      name: 'a run needs little memory and few requests',
      // Uses the bundle, because memory is measured for a whole process.
      driver: 'bundle',
      timeScale: 1,
      service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
      event: () => ownCostOptions(cost),
      at: {
        'findings.list': listing(findings),
        'findings.read': detail({ recommendedFix: 'Hand the value over as a parameter of the statement.' }),
      },
      inputs: { 'sarif-file': 'scan.sarif', 'report-file': 'report.json' },
      ends: [
        outputs({ outcome: 'blocked', 'findings-blocking': String(FINDINGS) }),
        readsOnce,
        countsAll,
        needsLittleMemory,
      ],
    },
  ]),
);
