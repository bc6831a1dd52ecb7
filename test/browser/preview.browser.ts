import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { EVERY_STATE } from '../../scripts/every-state.ts';
import { writePreview } from '../../scripts/write-preview.ts';
import { DOCTOR_STATES } from '../unit/doctor/states.ts';
import { REASON_STATES } from '../unit/report/reason-states.ts';
import { CHANGE_STATES } from '../unit/triage/change-states.ts';
import { TRIAGE_STATES } from '../unit/triage/triage-states.ts';
import { look } from './look.ts';
import { takePictures } from './pictures.ts';

const README_PICTURES = path.resolve(import.meta.dirname, '../../.github/pictures');
const WIDE = { width: 1100, height: 900 };
const PHONE = { width: 500, height: 900 };

let pages: Awaited<ReturnType<typeof writePreview>>;
beforeAll(async () => {
  pages = await writePreview();
});

const Texts = v.array(v.string());
const texts = async (address: string, script: string) => v.parse(Texts, await look(address, WIDE, script));

/** A script that collects what our pages must not contain, and the links whose target is not in the page. */
const SAFETY = `
  const all = [...document.querySelectorAll('body *')].filter((one) => one.localName !== 'script');
  return {
    loaded: performance.getEntriesByType('resource').length,
    active: all.filter((one) => /^(?:script|iframe|object|embed|form|img|video|link|base)$/.test(one.localName)).length,
    handlers: all.flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on') || name === 'style'),
    tooWide: document.documentElement.scrollWidth - innerWidth,
    links: [...document.links].map((one) => one.getAttribute('href')).filter((one) => !one.startsWith('#')),
    deadEnds: [...document.links]
      .map((one) => one.getAttribute('href'))
      .filter((one) => one.startsWith('#') && document.getElementById(one.slice(1)) === null),
  };`;
const Safety = v.object({
  loaded: v.number(),
  active: v.number(),
  handlers: v.array(v.string()),
  tooWide: v.number(),
  links: v.array(v.string()),
  deadEnds: v.array(v.string()),
});

/** Matches the address of a page of our docs, or of a section of it. */
const OUR_DOCS = /^https:\/\/github\.com\/scangate\/scangate\/blob\/HEAD\/docs\/[\w-]+\.md(?:#[\w-]+)?$/;

describe.each(['pullRequest', 'gallery'] as const)('the page %s', (name) => {
  test.each([WIDE, PHONE])(
    `the page ${name} fits into a window of $width pixels, loads no file and runs no script`,
    async (window) => {
      const seen = v.parse(Safety, await look(pages[name], window, SAFETY));
      expect(seen).toMatchObject({ loaded: 0, active: 0, handlers: [] });
      expect(seen.tooWide).toBeLessThanOrEqual(0);
      // The fake servers have ended, so a page may link only to itself and to our docs. The gallery may also link to
      // the example addresses in its texts.
      const shown = name === 'gallery' ? /^https:\/\/(?:github\.com\/acme\/shop|scan\.example)\// : undefined;
      const foreign = seen.links.filter((link) => !OUR_DOCS.test(link) && shown?.test(link) !== true);
      expect({ foreign, deadEnds: seen.deadEnds }).toEqual({ foreign: [], deadEnds: [] });
    },
  );

  test(`the page ${name} is dark for a reader who prefers dark pages`, async () => {
    const background = 'return [getComputedStyle(document.body).backgroundColor];';
    expect(await look(pages[name], { ...WIDE, dark: true }, background)).toEqual(['rgb(13, 17, 23)']);
    expect(await look(pages[name], WIDE, background)).toEqual(['rgb(255, 255, 255)']);
  });
});

describe('the pull request', () => {
  test('the preview shows the comment with collapsed details', async () => {
    const [shown = '', hidden = ''] = await texts(
      pages.pullRequest,
      `const comment = document.querySelector('.comment'); return [comment.innerText, comment.textContent];`,
    );
    for (const text of [
      'Blocked: 2 findings at or above high',
      'Next step: Push a fix for each blocking finding, or contest it',
      'Since the last push',
      '2 new · 1 still open',
      'Critical: Shell command built from a variable',
      'src/export.js line 6 · new · blocks · confirmed by analysis',
      'Details and fix',
    ])
      expect(shown).toContain(text);
    expect(shown).not.toContain('Start the program without a shell');
    expect(hidden).toContain('Start the program without a shell');
    expect(shown).not.toContain('scangate:v1');
    // The number of credits changes from run to run, but the comment must not change while the result stays the same.
    // So only the check run and the job summary show credits.
    expect(shown).not.toContain('credits');
  });

  test('the preview shows each finding of the comment on two lines', async () => {
    const heights = await look(
      pages.pullRequest,
      WIDE,
      `return [...document.querySelectorAll('.comment .markdown-body > p')]
        .filter((one) => one.querySelector('br'))
        .map((one) => Math.round(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)));`,
    );
    expect(heights).toEqual([2, 2, 2]);
  });

  test('the preview shows every annotation right below its line', async () => {
    const placed = await texts(
      pages.pullRequest,
      `return [...document.querySelectorAll('.diff .annotation')].map((one) => {
        const row = one.closest('tr');
        const line = row.previousElementSibling;
        const gap = one.getBoundingClientRect().top - line.getBoundingClientRect().bottom;
        return [gap >= 0 && gap < 20, line.innerText.trim(), one.querySelector('.annotation-title').innerText].join(' | ');
      });`,
    );
    expect(placed.map((one) => one.replace(/\s+/g, ' ').replace(/ZK-\w+/, 'ZK'))).toEqual([
      "true | 6 + exec('tar czf /tmp/export.tgz exports/' + request.query.customer, done); | ZK Critical: Shell command built from a variable",
      'true | 9 +export const partner = new https.Agent({ rejectUnauthorized: false }); | ZK Medium: Certificate verification switched off',
      expect.stringMatching(
        /^true \| 8 \+ return db\.query\(.* \| ZK High: SQL statement built from a variable$/,
      ),
    ]);
  });

  test('the preview links a finding to its line, and says how many files the fake service searched', async () => {
    const seen = await texts(
      pages.pullRequest,
      `const line = [...document.links].find((one) => one.innerText === 'src/export.js line 6').hash.slice(1);
       return [document.getElementById(line).innerText, document.querySelector('.caveat').innerText,
         document.querySelector('.comment > footer').innerText];`,
    );
    expect(seen[0]).toContain("exec('tar czf");
    expect(seen[1]).toContain(
      'searched the code of 3 of 3 changed files for vulnerabilities, and 3 for credentials. It is not a real scanner',
    );
    expect(seen[2]).toMatch(
      /^The fake scanning service searched the code of 3 of 3 changed files .* credentials\.$/,
    );
  });

  test('the preview shows the verdict in the merge box, on the page of the check run and in the job summary', async () => {
    const shown = await texts(
      pages.pullRequest,
      `return ['.merge', '.check', '#job-summary + section'].map((one) => document.querySelector(one).innerText);`,
    );
    for (const text of shown) expect(text).toContain('Blocked: 2 findings at or above high');
    expect(shown[0]).toContain('Some checks were not successful');
    expect(shown[0]).toMatch(/Scangate \/ scangate \(pull_request\) Failing Required/);
    expect(shown[2]).toContain('Low:');
  });
});

describe('the gallery', () => {
  test('the gallery shows for every state what happened and what to do next', async () => {
    const shown = await texts(
      pages.gallery,
      `return [...document.querySelectorAll('article:not([id^="doctor-"], [id^="triage-"], [id^="changed-"])')].map((one) => one.id + '\\n' + one.innerText);`,
    );
    expect(shown.map((text) => text.split('\n')[0])).toEqual(
      EVERY_STATE.flatMap(({ states }) => Object.keys(states)),
    );
    for (const text of shown) {
      expect(text).toMatch(/^(?:🛑 Blocked|✅ Passed|✅ Nothing to scan|⚠️ Not scanned)/mu);
      expect(text).toMatch(
        /Next step: |To get a scan: |without findings|No blocking findings|No action is required|Scangate launched no scan/,
      );
    }
  });

  test('the gallery shows the verdict above every table of the doctor', async () => {
    const shown = await texts(
      pages.gallery,
      `return [...document.querySelectorAll('article[id^="doctor-"]')].map((one) => one.id + '\\n' + one.innerText);`,
    );
    expect(shown.map((text) => text.split('\n')[0])).toEqual(Object.keys(DOCTOR_STATES));
    for (const text of shown)
      expect(text).toMatch(
        /^(?:✅ Ready|⚠️ Ready only if the job of the gate always runs|❌ Not ready): \d+ errors?, \d+ warnings?\.(?: GitHub counts a skipped job as passed\.)?$/mu,
      );
  });

  test('the gallery shows how many jobs each run of the triage action re-ran', async () => {
    const shown = await texts(
      pages.gallery,
      `return [...document.querySelectorAll('article[id^="triage-"]')].map((one) => one.id + '\\n' + one.innerText);`,
    );
    expect(shown.map((text) => text.split('\n')[0])).toEqual(Object.keys(TRIAGE_STATES));
    for (const text of shown) expect(text).toMatch(/^Triage: (?:no job|\d+ jobs?) re-run$/mu);
  });

  test('the gallery shows how many findings each triage command changed', async () => {
    const shown = await texts(
      pages.gallery,
      `return [...document.querySelectorAll('article[id^="changed-"]')].map((one) => one.id + '\\n' + one.innerText);`,
    );
    expect(shown.map((text) => text.split('\n')[0])).toEqual(Object.keys(CHANGE_STATES));
    for (const text of shown) expect(text).toMatch(/No finding was changed\.|\d findings? of \d set to/u);
  });

  test('the gallery says why a change was not scanned', async () => {
    const shown = await texts(
      pages.gallery,
      `return ${JSON.stringify(Object.keys(REASON_STATES))}.map((id) => document.getElementById(id).innerText);`,
    );
    expect(shown).toHaveLength(Object.keys(REASON_STATES).length);
    const passing = shown.filter((text) =>
      text.includes('Passing because the workflow sets paths-unscanned.'),
    );
    expect(passing).toHaveLength(1);
    for (const text of shown) {
      const passes = passing.includes(text);
      expect(text).toMatch(passes ? /^⚠️ Not scanned \(allowed\): \w/mu : /^⚠️ Not scanned: \w/mu);
      expect(text).toContain('Why: ');
      expect(text).toContain(
        `This change has not been checked${passes ? '.' : ', so this job fails. If the job is required, this blocks the merge.'}`,
      );
      expect(text).not.toMatch(/\b(?:0|no) findings\b|✅/i);
      expect(text.includes('All checks have passed')).toBe(passes);
    }
  });
});

test('each picture for the README is smaller than 150 kB', async () => {
  const folder = path.join(path.dirname(fileURLToPath(pages.pullRequest)), 'pictures');
  const files = await takePictures(pages.pullRequest, folder);
  expect(files.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(await readdir(README_PICTURES)),
  );
  for (const file of files) {
    const { size } = await stat(file);
    expect(size).toBeGreaterThan(10_000);
    expect(size).toBeLessThan(150_000);
  }
});
