import { describe, expect, test } from 'vitest';
import { closeLog, deliverToLog } from '../../../src/deliver/job-log.ts';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import { toReport } from '../../../src/report/report.ts';
import { fitSummary, renderSummary } from '../../../src/report/summary.ts';
import { createRunnerLog } from '../../../src/runner/log.ts';
import { NOTHING_DELIVERED } from '../../support/nothing-delivered.ts';
import { printed } from '../../support/runner-files.ts';
import { REASON_STATES } from './reason-states.ts';
import { SINCE_STATES } from './since-states.ts';
import { STATES } from './states.ts';
import { WITHHELD_STATES } from './withheld-states.ts';

describe.each(Object.entries(STATES))('the golden file of the state %s', (name, report) => {
  test(`the comment of the state ${name} matches its golden file`, async () => {
    await expect(renderComment(report)).toMatchFileSnapshot(`golden/${name}.comment.md`);
  });
  test(`the job summary of the state ${name} matches its golden file`, async () => {
    await expect(renderSummary(report)).toMatchFileSnapshot(`golden/${name}.summary.md`);
  });
  test(`the check output of the state ${name} matches its golden file`, async () => {
    const { title, summary, text } = renderCheckOutput(report, toAnnotations(report));
    const shown = `${title}\n\n=== summary\n${summary}\n\n=== text\n${text}\n`;
    await expect(shown).toMatchFileSnapshot(`golden/${name}.check.md`);
  });
  test(`the annotations of the state ${name} match their golden file`, async () => {
    const shown = `${JSON.stringify(toAnnotations(report), null, 2)}\n`;
    await expect(shown).toMatchFileSnapshot(`golden/${name}.annotations.json`);
  });
  test(`the JSON report of the state ${name} matches its golden file`, async () => {
    await expect([...renderJsonReport(report)].join('')).toMatchFileSnapshot(`golden/${name}.report.json`);
  });
});

describe.each(Object.entries(WITHHELD_STATES))('the golden file of the state %s', (name, whole) => {
  const report = toReport(whole);

  test(`the job summary of the state ${name} matches its golden file`, async () => {
    await expect(renderSummary(report)).toMatchFileSnapshot(`golden/${name}.summary.md`);
  });
  test(`the check output of the state ${name} matches its golden file`, async () => {
    const { title, summary, text } = renderCheckOutput(report, toAnnotations(report));
    const shown = `${title}\n\n=== summary\n${summary}\n\n=== text\n${text}\n`;
    await expect(shown).toMatchFileSnapshot(`golden/${name}.check.md`);
  });
  test(`the log of the state ${name} matches its golden file`, async () => {
    const lines = printed();
    const log = createRunnerLog();
    deliverToLog(log, report, fitSummary(report));
    closeLog(log, report, NOTHING_DELIVERED);
    await expect(`${lines().join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.log.txt`);
  });
});

test.each(Object.entries(SINCE_STATES))(
  'the comment of the state %s matches its golden file',
  async (name, { report, since }) => {
    await expect(renderComment(report, { since })).toMatchFileSnapshot(`golden/${name}.comment.md`);
  },
);

test('the comments for all reasons match their golden file', async () => {
  const shown = Object.entries(REASON_STATES).map(
    ([reason, report]) =>
      `=== ${reason}: ${renderCheckOutput(report, toAnnotations(report)).title}\n${renderComment(report)}\n`,
  );
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/reasons.comment.md');
});
