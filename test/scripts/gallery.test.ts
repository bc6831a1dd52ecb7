import { describe, expect, test } from 'vitest';
import { EVERY_STATE, type GalleryState } from '../../scripts/every-state.ts';
import { galleryPage } from '../../scripts/gallery.ts';
import { CHECKS } from '../../src/doctor/row.ts';
import { renderComment } from '../../src/report/comment.ts';
import { toReport } from '../../src/report/report.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { DOCTOR_STATES } from '../unit/doctor/states.ts';
import { REASON_STATES } from '../unit/report/reason-states.ts';
import { SINCE_STATES } from '../unit/report/since-states.ts';
import { STATES } from '../unit/report/states.ts';
import { WITHHELD_STATES } from '../unit/report/withheld-states.ts';
import { CHANGE_STATES } from '../unit/triage/change-states.ts';
import { REFUSED_RERUNS, TRIAGE_STATES } from '../unit/triage/triage-states.ts';

const shown = EVERY_STATE.flatMap(({ states }) => Object.entries(states));
/** States without a comment and a check run, with the reason. */
const UNWRITTEN = {
  'missing-token': 'a read-only token',
  'not-scanned-allowed': 'a read-only token',
  'unsupported-event': 'a closed pull request',
};
const WRITTEN = ['untrusted-fork', 'not-scanned-dependabot', 'configuration'];
const WITHOUT_PULL_REQUEST = ['push-blocked', 'push-without-base', 'full-scan', 'public-full-scan'];
const RENDERED = new Set([...Object.keys(UNWRITTEN), ...WRITTEN, ...WITHOUT_PULL_REQUEST]);
const ARTICLES = new Map(
  galleryPage([{ title: 'Checked', states: Object.fromEntries(shown.filter(([id]) => RENDERED.has(id))) }])
    .split('<article class="gallery" id="')
    .map((article) => [article.slice(0, article.indexOf('"')), article]),
);
const articleOf = (id: string) => ARTICLES.get(id) ?? '';

describe('the gallery', () => {
  test('the gallery shows every state once', () => {
    const textOf = ({ report, since }: GalleryState) =>
      report.disclosure === 'labels' ? renderSummary(report) : renderComment(report, { since });
    const texts = shown.map(([, state]) => textOf(state));
    expect(new Set(texts).size).toBe(texts.length);
    const wanted = [
      ...Object.values(STATES).map((report) => textOf({ report })),
      ...Object.values(REASON_STATES).map((report) => textOf({ report })),
      ...Object.values(SINCE_STATES).map(textOf),
      ...Object.values(WITHHELD_STATES).map((whole) => textOf({ report: toReport(whole) })),
    ];
    expect(wanted.filter((text) => !texts.includes(text))).toEqual([]);
  });

  test.each([
    ['Blocked', ['blocked']],
    ['Passed', ['passed', 'unchanged']],
    ['Not scanned', ['not-scanned']],
  ])('the group %s of the gallery has only states with a matching outcome', (title, outcomes) => {
    const states = Object.values(EVERY_STATE.find((group) => group.title === title)?.states ?? {});
    expect(new Set(states.map(({ report }) => report.verdict.outcome))).toEqual(new Set(outcomes));
  });

  test('the gallery shows no comment and no check run if the run creates none', () => {
    for (const [id, why] of Object.entries(UNWRITTEN)) {
      const article = articleOf(id);
      expect(article).toContain(why);
      expect(article).toContain('Scangate / scangate (pull_request)');
      expect(article).toContain('Job summary');
      expect(article).not.toMatch(/class="box (?:comment|check)"|Security scan<\/bdi>/);
    }
    for (const id of WRITTEN) expect(articleOf(id)).toMatch(/class="box comment".*class="box check"/s);
  });

  test('for a run without a pull request, the gallery shows no comment', () => {
    for (const id of WITHOUT_PULL_REQUEST) {
      const article = articleOf(id);
      expect(article).toMatch(/class="box check".*<h4>Job summary<\/h4>/s);
      expect(article).not.toContain('class="box comment"');
    }
  });

  test('the gallery shows every answer of the triage action', () => {
    const replies = Object.values(TRIAGE_STATES).filter(({ reply }) => reply !== undefined);
    expect(replies).toHaveLength(REFUSED_RERUNS.length);
    for (const [id, { reply }] of Object.entries(TRIAGE_STATES)) {
      expect(articleOf(id).includes('Not re-run.</strong>')).toBe(reply !== undefined);
      expect(articleOf(id)).toContain('Job summary');
    }
  });

  test('the gallery shows every answer to a command that changes findings', () => {
    for (const id of Object.keys(CHANGE_STATES)) {
      const isRefused = id.startsWith('changed-refused-');
      expect(articleOf(id).includes('No finding was changed.</strong>'), id).toBe(isRefused);
      expect(/findings? of \d set to/.test(articleOf(id)), id).toBe(!isRefused);
      // A re-run of the triage workflow does not repeat the command, so no text recommends such a re-run.
      expect(articleOf(id)).not.toMatch(/re-run this job/i);
    }
  });

  test('the gallery shows every table of the doctor', () => {
    const rowsIn = (id: string) => articleOf(id).match(/<tr>/g)?.length ?? 0;
    for (const [id, { rows }] of Object.entries(DOCTOR_STATES)) expect(rowsIn(id)).toBe(rows.length + 1);
    const all = Object.keys(DOCTOR_STATES).map(articleOf).join('\n');
    for (const check of CHECKS) expect(all).toContain(`<td>${check}</td>`);
  });
});
