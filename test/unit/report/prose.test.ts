import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge, type ScanOutcome } from '../../../src/domain/verdict.ts';
import { NO_ANNOTATIONS, renderCheckOutput } from '../../../src/report/check-output.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { docsPage } from '../../../src/report/links.ts';
import { md, toText } from '../../../src/report/markdown.ts';
import {
  linkingChecks,
  linkingRun,
  renderCodeSpans,
  renderUntrustedText,
  truncateText,
} from '../../../src/report/prose.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { byteLength, cutCharacters } from '../../../src/text/visible-text.ts';
import { hostileText } from './hostile.ts';
import { POLICY, sampleFinding, sampleReport } from './sample-report.ts';

const FORKS = docsPage('forks');

test('renderCodeSpans renders the address of a page of the documentation as a link', () => {
  expect(toText(renderCodeSpans(`Set \`a\`, as ${FORKS} shows.`))).toBe(
    `Set <code>a</code>, as [docs/forks.md](${FORKS}) shows.`,
  );
});

test('renderCodeSpans names a section of a page by its heading', () => {
  const section = docsPage('triage', 'close-findings-by-comment');
  expect(toText(renderCodeSpans(`Use ${section} instead.`))).toBe(
    `Use [Close findings by comment](${section}) instead.`,
  );
});

test.each([
  FORKS.replace('github.com', 'github-com'),
  FORKS.replace('github.com', 'evil.example'),
  FORKS.replace('docs/', 'docs/../../'),
  FORKS.replace('.md', '.html'),
  FORKS.replace('.md', '-md'),
  FORKS.replace('HEAD', 'head'),
])('renderCodeSpans makes no link of %s', (address) => {
  expect(toText(renderCodeSpans(`See ${address}.`))).not.toContain('](');
});

test('renderCodeSpans makes no link in code', () => {
  expect(toText(renderCodeSpans(`See \`${FORKS}\`.`))).not.toContain('](');
});

test('a text that fits is written in full', () => {
  expect(toText(truncateText('Set `fail-on` right', 100))).toBe('Set <code>fail-on</code> right');
  expect(toText(truncateText('', 100))).toBe('');
});

test('a truncated text keeps as many characters as fit into the limit after escaping', () => {
  const dollar = byteLength(toText(md`${'$'}`));
  const written = toText(truncateText('$'.repeat(1_000), 10 * dollar + 5));
  expect(written).toBe(toText(md`${`${'$'.repeat(10)}…`}`));
});

test('any truncated text stays within the limit, and is the beginning of the whole text', () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 0, max: 300 }), (text, bytes) => {
      const written = toText(truncateText(text, bytes));
      expect(byteLength(written)).toBeLessThanOrEqual(bytes);
      const cuts = Array.from({ length: text.length + 1 }, (_, length) => cutCharacters(text, length));
      expect(cuts.map((cut) => toText(renderCodeSpans(cut)))).toContain(written);
    }),
  );
});

const shown = (text: string) => toText(renderUntrustedText(text));
const SPACE = '&#160;';

test('untrusted text gets paragraphs at empty lines, and line breaks at other line ends', () => {
  expect(shown('one\ntwo\n\n \t\nthree\r\nfour\n')).toBe('one<br>two\n\nthree<br>four');
});

test('untrusted text that is empty becomes an empty text', () => {
  expect(shown('')).toBe('');
  expect(shown('\n \n')).toBe('');
});

test('untrusted text keeps indentation up to a limit, with a tab as two spaces', () => {
  expect(shown('a\n  b\n\tc')).toBe(`a<br>${SPACE.repeat(2)}b<br>${SPACE.repeat(2)}c`);
  expect(shown(`${' '.repeat(40)}a`)).toBe(`${SPACE.repeat(40)}a`);
  expect(shown(`${' '.repeat(1000)}a`)).toBe(`${SPACE.repeat(40)}a`);
});

test('untrusted text between two backticks is shown as code, and an unclosed backtick as text', () => {
  expect(shown('a `b_c` d `e')).toBe('a <code>b&#95;c</code> d &#96;e');
  expect(shown('`a` `b`')).toBe('<code>a</code> <code>b</code>');
  expect(shown('a `` b')).toBe('a &#96;&#96; b');
});

test.each([
  ['backticks', '```'],
  ['backticks and a language', '```js'],
  ['tildes', '~~~'],
  ['indented backticks', '   ```'],
])('untrusted text opens a code block at a fence of %s', (_what, fence) => {
  const mark = fence.includes('~') ? '~~~' : '```';
  expect(shown(`before\n${fence}\n  *a*\n\n# b\n${mark}\nafter`)).toBe(
    'before\n\n```\n  *a*\n\n# b\n```\n\nafter',
  );
});

test('a code block of untrusted text ends at a fence of the same kind that is as long or longer', () => {
  expect(shown('````\na\n```\nb\n~~~~\nc\n`````\nd')).toBe('````\na\n```\nb\n~~~~\nc\n````\n\nd');
  expect(shown('~~~\na\n```\n~~~~\nb')).toBe('~~~\na\n```\n~~~\n\nb');
});

test('an unclosed fence of untrusted text is closed at the end of the text', () => {
  expect(shown('a\n```\nb')).toBe('a\n\n```\nb\n```');
});

test.each(['``', '    ```', 'x ```', '~~'])('untrusted text opens no code block at %j', (line) => {
  expect(shown(`${line}\na`)).not.toContain('\n```');
  expect(shown(`${line}\na`)).toMatch(/<br>a$/);
});

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

describe('the report of a blocked pull request', () => {
  const LINKS = [
    `[Close findings by comment](${docsPage('triage', 'close-findings-by-comment')}) instead`,
    `see [Your pull request is blocked](${docsPage('outcomes', 'your-pull-request-is-blocked')})`,
  ];

  test.each([
    ['check run', check],
    ['job summary', summary],
    ['comment', comment],
  ])(
    'the %s of a blocked pull request links how to fix or contest findings in its next step',
    (_, render) => {
      const [next = ''] = /^\*\*Next step:\*\* .*$/m.exec(render(BLOCKED)) ?? [];
      for (const link of LINKS) expect(next).toContain(link);
      expect(next).toContain('<code>scan.example</code>');
      expect(render(BLOCKED)).not.toContain('/scangate ');
      for (const report of [FAILED, sampleReport([])]) expect(render(report)).not.toContain('docs/triage');
    },
  );
});
