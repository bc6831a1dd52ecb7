import { expect, test } from 'vitest';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { COMMENT_LIMIT, renderComment } from '../../../src/report/comment.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { lineChanges } from '../../support/shown.ts';
import { BASE, HEAD, sampleFinding, sampleReport } from './sample-report.ts';

/** What a report differs in from a usual one, by what its footers say. */
const FOOTERS: Readonly<Record<string, Partial<ListedReport>>> = {
  'the commit is not confirmed': { commitConfirmed: false },
  'the base is not confirmed': { baseConfirmed: false },
  'neither is confirmed': { commitConfirmed: false, baseConfirmed: false },
  'it is not known whether they are confirmed': { commitConfirmed: undefined, baseConfirmed: undefined },
  'the scan of another run, in a second attempt': { reused: true, runAttempt: 2 },
  'the scan of the same files': { reused: true, sameFilesAs: 'a'.repeat(40) },
  'the pull request has cost nothing': { creditsPullRequest: 0 },
  'the pull request has cost one credit': { creditsPullRequest: 1, creditsReserved: 1 },
  'the base is set in the workflow': { diffBase: { baseSha: BASE, headSha: HEAD, how: 'input' } },
  'the base is from git': { diffBase: { baseSha: BASE, headSha: HEAD, how: 'git' } },
  'the note of the workflow': {
    note: 'Ask **#appsec**, or read [our policy](https://intranet.example/appsec).',
  },
};

test('every output ends in a footer with the scan, its base and its credits, and in the note of the workflow', async () => {
  // A footer is one line, which is compared piece by piece.
  const footer = (text: string) => text.slice(text.indexOf('<sub>')).trim().replaceAll(' · ', '\n');
  const footersOf = (members: Partial<ListedReport>): readonly string[] => {
    const report = sampleReport([], members);
    const [comment, summary, check] = [
      renderComment(report),
      renderSummary(report),
      renderCheckOutput(report, toAnnotations(report)).summary,
    ].map(footer);
    expect(check).toBe(summary);
    return [`comment:\n${comment}`, `job summary and check run:\n${summary}`];
  };
  const usual = footersOf({});
  const shown = [
    usual.join('\n'),
    ...Object.entries(FOOTERS).flatMap(([name, members]) => [
      `=== ${name}`,
      ...footersOf(members).flatMap((text, index) => lineChanges(usual[index] ?? '', text)),
    ]),
  ];
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('golden/footers.txt');
});

test('the comment with a long note stays within its limit', () => {
  const findings = Array.from({ length: 400 }, (_, index) => sampleFinding({ id: `f-${index}` }));
  const report = sampleReport(findings, { note: 'n'.repeat(500) });
  expect(renderComment(report).length).toBeLessThanOrEqual(COMMENT_LIMIT);
});
