import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { cancelJob, failing, hanging, limited, refusingAs, showing } from './effects.ts';
import { requests, summarizes } from './ends.ts';
import { detail, finding, idOf, listing, many } from './findings.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Effect } from './timeline.ts';

const IN_TIME = { head: 'clean', driver: 'in process' } as const;
const READS = 'findings.read';
const MB = 1024 * 1024;
type Findings = Parameters<typeof listing>[0];

const row = (
  name: string,
  findings: Findings,
  details: Effect | null = detail(),
  more: Omit<RunRow, 'name'> = {},
): RunRow => ({
  name,
  ...IN_TIME,
  ...more,
  at: { 'findings.list': listing(findings), ...(details && { [READS]: details }), ...more.at },
});
const asked = (jobs: OtherJobs) => [...new Set(jobs.sent(READS).map(({ path }) => idOf(path)))];
/** The number of findings whose details the run asks for. */
const asksFor =
  (least: number, most = least): End =>
  ({ run }, jobs) => {
    expect(asked(jobs).length, run.log).toBeGreaterThanOrEqual(least);
    expect(asked(jobs).length, run.log).toBeLessThanOrEqual(most);
  };
/** The most requests for details that arrive at the same time. */
const asksAtOnce =
  (count: number): End =>
  ({ run }, jobs) => {
    const together = Map.groupBy(jobs.sent(READS), ({ ms }) => ms);
    expect(Math.max(...[...together.values()].map(({ length }) => length)), run.log).toBe(count);
  };
const withoutFile = { filePath: undefined };

describe('the details of findings', () => {
  testRuns(
    [
      row(
        'a run reads the details of the findings that it reports, and of no other',
        [...many(9, 'LOW'), ...many(9, 'HIGH')],
        detail(),
        { ends: [asksFor(9), summarizes('about HIGH-')] },
      ),
      row('a run starts with four requests at a time for details', many(4, 'HIGH', withoutFile), detail(), {
        ends: [asksFor(4), asksAtOnce(4)],
      }),
      row('a run sends more and more requests at a time', many(200, 'HIGH', withoutFile), detail(), {
        ends: [asksFor(200), asksAtOnce(32)],
      }),
      row(
        'a run stays at four requests at a time if the service asks it to wait',
        many(200, 'HIGH', withoutFile),
        detail(),
        { at: { [`${READS} 1-4`]: limited(1) }, ends: [asksFor(200), asksAtOnce(4)] },
      ),
      ...(
        [
          ['few if each is malformed', 50, { status: 200, body: {} }, [10, 14]],
          ['all if the service finds none', 9, refusingAs(404, 'not_found'), [9, 9]],
          ['at most four if the token is rejected', 40, refusingAs(401, 'unauthorized'), [1, 4]],
          ['at most four if the token may not read them', 40, refusingAs(403, 'forbidden'), [1, 4]],
          ['few if the rate limit lasts', 40, limited(1000), [1, 16]],
          ['one if the service fails', 1, refusingAs(500, 'internal'), [1, 1]],
          ['at most four if no request arrives', 40, { fault: 'reset-before' }, [1, 4]],
        ] as const
      ).map(([what, count, answer, [least, most]]) =>
        row(`of all details, a run reads ${what}`, many(count, 'HIGH'), answer, {
          ends: asksFor(least, most),
        }),
      ),
      row('a run warns of one finding whose details cannot be read', many(4, 'HIGH'), (jobs, request) =>
        idOf(request.path) === 'HIGH-1' ? refusingAs(404, 'not_found') : detail()(jobs, request),
      ),
      row('a run waits at most half a minute for the details', many(50, 'HIGH'), hanging, {
        ends: [asksFor(4), ({ run }) => expect(run.durationMs).toBeLessThan(40_000)],
      }),
      row('a run that is cancelled while it reads the details has no result', many(4, 'HIGH'), [
        cancelJob,
        hanging,
      ]),
    ],
    'details',
  );
});

describe('the report says which details are not read', () => {
  const TEXTS = { description: 'why', recommendedFix: 'how' };
  const POC = { ...TEXTS, triageStatus: 'CONFIRMED', confirmationEvidence: 'POC' };
  const inputs = { 'report-file': 'report.json', 'sarif-file': 'scan.sarif' };
  /** The details of one finding are unread, and every place says so. */
  const saysEverywhere: End = async ({ run, environment: { github } }) => {
    for (const shown of [github.comments[0]?.body, github.checkRuns[0]?.output?.text, run.summary])
      expect(shown).toContain('The details of 1 finding above are only in the scanning service.');
    const notice = 'The details of 1 finding are only in the scanning service.';
    const written = async (output: string) => JSON.parse(await readFile(run.outputs[output] ?? '', 'utf8'));
    const report = await written('report-file');
    expect(report.notices).toEqual([notice]);
    const texts = report.findings.map((one: { description: unknown }) => one.description);
    expect(texts).toEqual([...Array(50).fill(expect.any(String)), null]);
    expect(await written('sarif-file')).toMatchObject({
      runs: [{ invocations: [{ toolExecutionNotifications: [{ message: { text: notice } }] }] }],
    });
  };
  const unread =
    (count: number): End =>
    ({ run }) =>
      expect(/The details of (\d+)/.exec(run.summary)?.[1] ?? '0').toBe(String(count));
  testRuns([
    row('of 51 findings, the details of the last are unread', many(51, 'HIGH'), detail(), {
      inputs,
      ends: saysEverywhere,
    }),
    row('no details are unread if the list shows the texts', many(60, 'HIGH', TEXTS), detail(), {
      ends: unread(0),
    }),
    row(
      'details are unread if the list shows only the description',
      many(60, 'HIGH', { description: 'why' }),
      detail(),
      { ends: unread(10) },
    ),
    row('details are unread if the list shows no proof of concept', many(60, 'HIGH', POC), detail(), {
      ends: unread(10),
    }),
    row('the details of findings below the threshold do not matter', many(60, 'LOW'), null, {
      at: {},
      ends: [unread(0), requests(READS, 0)],
    }),
    row('the details of a finding without a usable id are unread', [finding('..', 'HIGH')], null, {
      ends: [unread(1), requests(READS, 0)],
    }),
  ]);
});

describe('a finding in an exempt file', () => {
  const exempt = [finding('f', 'HIGH', { filePath: 'test/a.js' })];
  const more = { inputs: { 'paths-exempt': 'test/**' } };
  testRuns(
    [
      row('a finding is exempt if its detail shows no file', exempt, detail(), more),
      row(
        'a finding is exempt if its detail shows the same file',
        exempt,
        detail({ filePath: 'test/a.js' }),
        more,
      ),
      row(
        'a finding blocks if its detail shows another file',
        exempt,
        detail({ filePath: 'src/a.js' }),
        more,
      ),
      row('a finding blocks if its detail cannot be read', exempt, failing, more),
      row(
        'a finding blocks if it has no usable id',
        [finding('..', 'HIGH', { filePath: 'test/a.js' })],
        null,
        more,
      ),
    ],
    'exempt-details',
  );
});

describe('the result of a completed scan', () => {
  const unfinished = { 'scans.read': showing([/"phasesCompleted":\d/g, '"phasesCompleted":1']) };
  const inputs = { 'fail-on-evidence': 'confirmed' };
  testRuns(
    [
      row(
        'a run warns of phases that did not finish, and of a triage that it does not know',
        [finding('odd', 'HIGH', { triageStatus: 'MAYBE' })],
        detail(),
        { at: unfinished, inputs },
      ),
      row(
        'a run does not warn of a missing triage if the details show it',
        [finding('silent', 'HIGH', { triageStatus: undefined })],
        detail({ triageStatus: 'PENDING' }),
        { inputs },
      ),
      ...(
        [
          ['is malformed', { status: 200, body: {} }, '30'],
          ['is not found', refusingAs(404, 'not_found'), '30'],
          ['is not read in time', hanging, '1'],
        ] as const
      ).map(([what, answer, minutes]) => ({
        name: `a run has no result if the list of findings ${what}`,
        ...IN_TIME,
        at: { 'findings.list': answer, ...unfinished },
        inputs: { 'timeout-minutes': minutes },
      })),
      // The action requests a page of 100 findings, two pages of 10 findings, and each of the first ten findings.
      row(
        'a run requests smaller pages for twelve findings of 1.5 MB each',
        many(12, 'HIGH', { padding: 'x'.repeat(1.5 * MB) }),
        detail(),
        { ends: requests('findings.list', 13) },
      ),
      ...[{}, { 'fail-on': 'none' }].map((policy, index) =>
        row(
          `a finding that is too large to read ${index === 0 ? 'blocks' : 'does not block with `fail-on: none`'}`,
          [finding('large', 'LOW', { padding: 'x'.repeat(11 * MB) }), ...many(2, 'MEDIUM')],
          detail(),
          { inputs: policy, ends: summarizes('Finding 1 of the scan is too large to read') },
        ),
      ),
    ],
    'findings',
  );
});
