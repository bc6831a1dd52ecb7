import { describe, expect, test } from 'vitest';
import { judge, type ScanOutcome } from '../../../src/domain/verdict.ts';
import { NO_ANNOTATIONS } from '../../../src/report/annotations.ts';
import { renderCheckOutput } from '../../../src/report/check-output.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { toText } from '../../../src/report/markdown.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { linkingChecks, linkingRun } from '../../../src/report/rerun-link.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { POLICY, sampleFinding, sampleReport } from './sample-report.ts';

const RUN = 'https://github.com/acme/shop/actions/runs/9876543210';
const CHECKS = 'https://github.com/acme/shop/pull/128/checks';
const BLOCKED = sampleReport([sampleFinding({ word: 'CRITICAL' })]);
const stopped = (nextStep: string, problems: readonly string[] = []): ListedReport => {
  const failure = { reason: 'service-error', cause: 'It is down.', nextStep, problems } as const;
  const outcome: ScanOutcome = { kind: 'not-scanned', failure };
  return { ...sampleReport([]), verdict: judge(outcome, POLICY) };
};
const FAILED = stopped('Re-run this job later.', ['No token. Add it, then re-run this job.']);

const check = (report: ListedReport) => renderCheckOutput(report, NO_ANNOTATIONS).summary;
const summary = (report: ListedReport) => renderSummary(report);
const comment = (report: ListedReport) => renderComment(report);

describe('"re-run this job" is a link', () => {
  test.each([
    ['check run', check, RUN],
    ['job summary', summary, RUN],
    ['comment', comment, CHECKS],
  ])(
    'in the %s, "re-run this job" is a link in next steps, problems and warnings',
    (_place, render, page) => {
      expect(render(BLOCKED)).toContain(`then [re-run this job](${page})`);
      const failed = render({ ...FAILED, warnings: ['Details are missing. Re-run this job to read them.'] });
      expect(failed).toContain(`**Next step:** [Re-run this job](${page}) later`);
      expect(failed).toContain(`then [re-run this job](${page})`);
      expect(failed).toContain(`[Re-run this job](${page}) to read them`);
      expect(failed).not.toMatch(/[^[]re-run this job/i);
    },
  );

  test('the link to re-run the job names no attempt of the run', () => {
    expect(summary({ ...BLOCKED, runAttempt: 3 })).toContain(`[re-run this job](${RUN})`);
  });

  test('the comment has the same link for every run and attempt', () => {
    const later = { runUrl: RUN.replace('987', '123'), runAttempt: 2, checkRunUrl: `${RUN}/job/9` };
    for (const report of [BLOCKED, FAILED]) expect(comment({ ...report, ...later })).toBe(comment(report));
  });
});

test.each([
  ['"re-run this job" in code', 'Say `re-run this job`.', 'Say <code>re-run this job</code>&#46;'],
  ['"re-run the job"', 'Re-run the job of that one.', 'Re-run the job of that one.'],
])('linkingRun makes no link of %s', (_what, text, markdown) => {
  expect(toText(linkingRun(BLOCKED)(text))).toBe(markdown);
});

test('foreign text next to the link to re-run the job is escaped', () => {
  const hostile = stopped('!re-run this job(https://evil.example) [x](y) ![z] re-run this job!');
  expect(summary(hostile)).toContain(
    `**Next step:** &#33;[re-run this job](${RUN})(https:&#8203;//evil.example) &#91;x&#93;(y) &#33;&#91;z&#93; [re-run this job](${RUN})&#33;`,
  );
});

test('in a comment, "re-run this job" is a link only for a pull request', () => {
  const onPush = { ...BLOCKED, target: BLOCKED.target && { ...BLOCKED.target, pullRequest: undefined } };
  expect(toText(linkingChecks(onPush)('Re-run this job.'))).toBe('Re-run this job.');
});

describe('the comment of a blocked change', () => {
  const PAGE =
    /\[close findings by comment\]\(https:\/\/github\.com\/scangate\/scangate\/blob\/v[\d.]+\/docs\/triage\.md\)/;

  test('the comment of a blocked change has a link to the page about closing findings', () => {
    expect(comment(BLOCKED)).toMatch(PAGE);
    expect(comment(BLOCKED)).not.toContain('/scangate ');
  });

  test('the check run, the job summary and other comments have no link to the page about closing findings', () => {
    for (const text of [check(BLOCKED), summary(BLOCKED), comment(FAILED), comment(sampleReport([]))])
      expect(text).not.toMatch(PAGE);
  });
});
