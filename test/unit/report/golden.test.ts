import { describe, expect, test } from 'vitest';
import { closeLog, deliverToLog } from '../../../src/deliver/job-log.ts';
import { isScanned } from '../../../src/domain/verdict.ts';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import { findingLines } from '../../../src/report/log-lines.ts';
import { type ListedReport, type Report, toReport } from '../../../src/report/report.ts';
import { renderSarif } from '../../../src/report/sarif.ts';
import { fitSummary, renderSummary } from '../../../src/report/summary.ts';
import { createRunnerLog } from '../../../src/runner/log.ts';
import { logLine } from '../../../src/text/log-text.ts';
import { NOTHING_DELIVERED } from '../../support/nothing-delivered.ts';
import { printed } from '../../support/runner-files.ts';
import { changes, lineChanges, withoutRepetition } from '../../support/shown.ts';
import { REASON_STATES } from './reason-states.ts';
import { SINCE_STATES } from './since-states.ts';
import { STATES } from './states.ts';
import { WITHHELD_STATES } from './withheld-states.ts';

/** The states whose check output and job summary are shown whole. Those of the others are compared with the comment. */
const WHOLE: readonly string[] = ['passed-exempt', 'not-scanned', 'hostile'];
/** The states whose annotations are shown. Those of the others show no other member. */
const ANNOTATED: readonly string[] = [
  'blocked',
  'blocked-evidence',
  'blocked-still-found',
  'passed-exempt',
  'sixty-findings',
  'hostile',
];
/** The states whose JSON report and SARIF file are shown whole. */
const WHOLE_FILES: readonly string[] = ['blocked', 'not-scanned-problems'];
/** The states whose files are compared with those. The files of the others show no other member. */
const OTHER_FILES: readonly string[] = [
  ...['blocked-public-published', 'blocked-evidence', 'passed', 'clean', 'unchanged', 'passed-exempt'],
  ...[
    'not-scanned-allowed',
    'not-scanned-findings-unread',
    'guided',
    'full-scan',
    'sixty-findings',
    'hostile',
  ],
];
/** The states whose golden files leave out lines that differ from others only in their numbers. */
const LONG: readonly string[] = ['sixty-findings', 'public-full-scan-long'];

const shortened = (name: string, text: string) => (LONG.includes(name) ? withoutRepetition(text) : text);

function checkText(report: Report): string {
  const { title, summary, text } = renderCheckOutput(report, toAnnotations(report));
  return `${title}\n\n=== summary\n${summary}\n\n=== text\n${text}\n`;
}

/** Shows text whole, or how it differs from the comment. */
function textOf(name: string, text: string, report: ListedReport): string {
  if (WHOLE.includes(name)) return text;
  // Only the comment links the checks of the pull request.
  const comment = renderComment(report).replaceAll(/https:[^)]*\/pull\/\d+\/checks/g, report.runUrl);
  return shortened(name, lineChanges(comment, text).join('\n'));
}

describe.each(Object.entries(STATES))('the golden files of the state %s', (name, report) => {
  test(`the comment of the state ${name} matches its golden file`, async () => {
    await expect(shortened(name, renderComment(report))).toMatchFileSnapshot(`golden/${name}.comment.md`);
  });

  test(`the other pages of the state ${name} match their golden file`, async () => {
    const { annotations, ...others } = toAnnotations(report);
    const lines = findingLines(report).map(logLine);
    const annotated = [...annotations, others].map((one) => JSON.stringify(one)).join('\n');
    const shown = [
      `=== check\n${textOf(name, checkText(report), report)}`,
      ...(ANNOTATED.includes(name) ? [`\n=== annotations\n${shortened(name, annotated)}`] : []),
      ...(lines.length === 0 ? [] : [`\n=== findings in the log\n${shortened(name, lines.join('\n'))}`]),
      `\n=== job summary\n${textOf(name, renderSummary(report), report)}\n`,
    ].join('\n');
    await expect(shown).toMatchFileSnapshot(`golden/${name}.pages.md`);
  });
});

type Json = Readonly<Record<string, unknown>>;
const byName = (items: readonly Json[], nameOf: (item: Json) => unknown): ReadonlyMap<string, unknown> =>
  new Map(items.map((item) => [JSON.stringify(nameOf(item)), item]));

/** A file that has lists, and those lists by the names of their items. */
interface Lists {
  readonly members: Json;
  readonly lists: Readonly<Record<string, ReadonlyMap<string, unknown>>>;
}

function readReport(text: string): Lists {
  const { findings, ...members } = JSON.parse(text);
  return { members, lists: { finding: byName(findings ?? [], ({ label }) => label) } };
}

function readSarif(text: string): Lists {
  const [{ tool, results, ...run }] = JSON.parse(text).runs;
  const { rules, ...driver } = tool.driver;
  const labelOf = ({ properties }: Json) => (properties as Json)['label'];
  return {
    members: { ...run, driver },
    lists: { rule: byName(rules, ({ id }) => id), result: byName(results, labelOf) },
  };
}

/** Shows how a file differs from another one. An item of a list is compared with the item of the same name. */
function fileChanges(before: Lists, after: Lists): string[] {
  const ofLists = Object.entries(after.lists).flatMap(([list, items]) => [
    `${list}s: ${[...items.keys()].join(', ')}`,
    ...[...items].flatMap(([name, item]) => changes(before.lists[list]?.get(name), item, `${list} ${name}`)),
  ]);
  return [...changes(before.members, after.members), ...ofLists];
}

test.each([
  ['report.json', () => true, renderJsonReport, readReport],
  ['sarif', isScanned, renderSarif, readSarif],
] as const)('the files %s match their golden files', async (extension, has, render, read) => {
  const written = Object.entries(STATES).filter(
    ([name, { verdict }]) => has(verdict) && [...WHOLE_FILES, ...OTHER_FILES].includes(name),
  );
  const texts = new Map(written.map(([name, report]) => [name, [...render(report)].join('')]));
  const others: string[] = [];
  for (const [name, { verdict }] of written) {
    const text = texts.get(name) ?? '';
    const like = isScanned(verdict) ? 'blocked' : 'not-scanned-problems';
    if (WHOLE_FILES.includes(name)) await expect(text).toMatchFileSnapshot(`golden/${name}.${extension}`);
    else {
      const shown = fileChanges(read(texts.get(like) ?? ''), read(text)).join('\n');
      others.push(`=== ${name}, unlike ${like}`, shortened(name, shown));
    }
  }
  await expect(`${others.join('\n')}\n`).toMatchFileSnapshot(`golden/others.${extension}.txt`);
});

describe.each(Object.entries(WITHHELD_STATES))('the golden file of the state %s', (name, whole) => {
  const report = toReport(whole);

  test(`the pages and the log of the state ${name} match their golden file`, async () => {
    const lines = printed();
    const log = createRunnerLog();
    deliverToLog(log, report, fitSummary(report));
    closeLog(log, report, NOTHING_DELIVERED);
    const shown = [
      `=== check\n${checkText(report)}`,
      `=== job summary\n${renderSummary(report)}\n`,
      `=== log\n${lines().join('\n')}\n`,
    ].map((part) => shortened(name, part));
    await expect(shown.join('\n')).toMatchFileSnapshot(`golden/${name}.pages.md`);
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
