import { expect, test } from 'vitest';
import type { Intercept } from '../../sandbox/github/faults.ts';
import { isObject, objectAt } from '../../sandbox/json.ts';
import { prepareVulnerabilities } from './many-vulnerabilities.ts';
import { runPrepared, runScenario, type ScenarioResult } from './scenario.ts';

/** The number of annotations in each request that creates or updates the check run. */
function batches({ environment }: ScenarioResult): number[] {
  return environment.github.requests
    .filter(({ point }) => point === 'check.create' || point === 'check.update')
    .map(({ body }) => {
      const annotations = isObject(body) ? objectAt(body, 'output')['annotations'] : undefined;
      return Array.isArray(annotations) ? annotations.length : 0;
    });
}

/** `path:line` of every annotation on a line of a file, in the check run or the log. */
function places({ environment, run }: ScenarioResult): string[] {
  const checked = environment.github.checkRuns.flatMap(({ annotations }) =>
    annotations.map(({ path, start_line: line }) => `${path}:${line}`),
  );
  const logged = run.annotations.flatMap(({ file, line }) => (file === undefined ? [] : [`${file}:${line}`]));
  return [...checked, ...logged];
}

test('a run annotates 60 findings in two requests, each finding once', async () => {
  const result = await runPrepared(await prepareVulnerabilities({ high: 45, medium: 15 }));
  expect(result.run.outputs).toMatchObject({
    outcome: 'blocked',
    'findings-total': '60',
    'findings-reported': '60',
    'findings-blocking': '45',
  });
  expect(batches(result)).toEqual([0, 50, 10]);
  const [checkRun] = result.environment.github.checkRuns;
  expect(checkRun).toMatchObject({ status: 'completed', conclusion: 'failure' });
  expect(new Set(places(result)).size).toBe(60);
  expect(places(result)).toHaveLength(60);
  expect(checkRun?.annotations.map((one) => one.annotation_level)).toEqual([
    ...Array.from({ length: 45 }, () => 'failure'),
    ...Array.from({ length: 15 }, () => 'warning'),
  ]);
  // Each request replaces the output of the check run, so the last request contains the whole report.
  expect(checkRun?.output.title).toContain('Blocked: 45 findings');
  expect(checkRun?.output.text).toContain('src/part01.js');
});

test('the check run annotates the 200 most severe of 220 findings, and the log lists all', async () => {
  const result = await runPrepared(await prepareVulnerabilities({ high: 190, medium: 30 }));
  expect(result.run.outputs).toMatchObject({ 'findings-total': '220', 'findings-reported': '220' });
  expect(batches(result)).toEqual([0, 50, 50, 50, 50]);
  const [checkRun] = result.environment.github.checkRuns;
  expect(checkRun?.annotations.filter((one) => one.annotation_level === 'failure')).toHaveLength(190);
  expect(checkRun?.annotations.filter((one) => one.annotation_level === 'warning')).toHaveLength(10);
  expect(checkRun?.output.summary).toContain('Not annotated: the 20 least severe findings.');
  expect(labelsOf(result.run.log).size).toBe(220);
  expect(labelsOf(result.run.summary)).toEqual(labelsOf(result.run.log));
});

/** The labels of all findings in a text, without the characters that keep GitHub from linking them. */
function labelsOf(text: string): Set<string> {
  return new Set(text.replaceAll('&#8203;', '').match(/ZK-[0-9a-zA-Z]{8}\b/g));
}

test('with `annotations: off`, a run annotates no lines, but reports all findings', async () => {
  const result = await runScenario({ inputs: { annotations: 'off' } });
  expect(places(result)).toEqual([]);
  expect(result.run.outputs).toMatchObject({ outcome: 'blocked', 'findings-reported': '3' });
  expect(result.run.summary).toContain('src/pack.js');
});

test.each([
  ['auto', 'counts', ['Not annotated, because no line is known: 3 findings.']],
  ['off', 'does not count', []],
])(
  'with `annotations: %s`, the check run %s the findings without a line',
  async (annotations, _counts, said) => {
    const result = await runScenario({
      service: { hideFields: { findingItem: ['filePath'], findingDetail: ['filePath'] } },
      inputs: { annotations },
    });
    expect(result.run.outputs).toMatchObject({ outcome: 'blocked', 'findings-reported': '3' });
    const { summary } = result.environment.github.checkRuns[0]?.output ?? {};
    expect(summary?.match(/^Not annotated.*$/gm) ?? []).toEqual(said);
  },
);

test('the log gets only the annotations that GitHub refuses', async () => {
  let refused = 0;
  const intercept: Intercept = ({ point, body }) => {
    const annotations = isObject(body) ? objectAt(body, 'output')['annotations'] : undefined;
    if (point !== 'check.update' || !Array.isArray(annotations) || refused > 0) return undefined;
    refused += 1;
    return { status: 422, body: { message: 'Invalid request.' } };
  };
  const result = await runPrepared(
    await prepareVulnerabilities({ high: 4, medium: 56 }, { github: { intercept } }),
  );
  const [checkRun] = result.environment.github.checkRuns;
  expect(checkRun).toMatchObject({ status: 'completed', conclusion: 'failure' });
  expect(checkRun?.annotations).toHaveLength(10);
  expect(result.run.outputs).toMatchObject({ outcome: 'blocked', 'findings-blocking': '4' });
  expect(result.run.log).toContain('50 annotations are missing on the check run');

  // The runner shows ten annotations per level. One of the ten warnings says that annotations are missing on the check
  // run.
  const levels = Map.groupBy(result.run.annotations, ({ level }) => level);
  expect(levels.get('error')?.filter(({ file }) => file !== undefined)).toHaveLength(4);
  expect(levels.get('warning')?.filter(({ file }) => file !== undefined)).toHaveLength(9);
  expect(result.run.log).toContain('37 more findings not annotated');
  expect(new Set(places(result)).size).toBe(places(result).length);
});

test('without a check run, the log gets ten annotations of each level, and counts the other findings', async () => {
  const permissions = { contents: 'read', 'pull-requests': 'write' } as const;
  const result = await runPrepared(
    await prepareVulnerabilities({ high: 30, medium: 30 }, { github: { permissions } }),
  );
  const levels = Map.groupBy(result.run.annotations, ({ level }) => level);
  expect(levels.get('error')).toHaveLength(10);
  expect(levels.get('warning')).toHaveLength(10);
  // Two of the twenty annotations have no line: the error with the verdict, and the warning about the missing
  // permission.
  expect(places(result)).toHaveLength(18);
  expect(result.run.log).toContain('42 more findings not annotated');
  const commands = result.run.stdout.split('\n').filter((line) => /^::(?:error|warning|notice)\b/.test(line));
  expect(commands, 'the runner drops none of them').toHaveLength(20);
});
