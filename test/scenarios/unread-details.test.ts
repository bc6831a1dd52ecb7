import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { prepareVulnerabilities } from './many-vulnerabilities.ts';
import { runPrepared } from './scenario.ts';

test('a run says in each place that it did not read the details of the 51st finding', async () => {
  const scenario = await prepareVulnerabilities({ high: 51, medium: 0 });
  const inputs = { 'report-file': 'report.json', 'sarif-file': 'scan.sarif' };
  const { run, environment } = await runPrepared(scenario, { inputs });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked', 'findings-reported': '51' });
  const { checkRuns, comments } = environment.github;
  for (const shown of [comments[0]?.body, checkRuns[0]?.output?.text, run.summary]) {
    expect(shown).toContain('The details of 1 finding above are only in the scanning service.');
  }
  const notice = 'The details of 1 finding are only in the scanning service.';
  const written = async (output: string) => JSON.parse(await readFile(run.outputs[output] ?? '', 'utf8'));
  const report = await written('report-file');
  expect(report.notices).toEqual([notice]);
  expect(report.findings.map((finding: { description: unknown }) => finding.description)).toEqual([
    ...Array(50).fill(expect.any(String)),
    null,
  ]);
  expect(await written('sarif-file')).toMatchObject({
    runs: [{ invocations: [{ toolExecutionNotifications: [{ message: { text: notice } }] }] }],
  });
});
