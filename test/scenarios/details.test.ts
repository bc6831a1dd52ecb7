import { describe, expect } from 'vitest';
import { cancelJob, failing, hanging, limited, refusingAs, showingInstead } from './effects.ts';
import {
  blocked,
  endedAs,
  exits,
  notScanned,
  omits,
  outputs,
  passed,
  requests,
  says,
  summarizes,
} from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act, Effect } from './timeline.ts';

type Fields = Readonly<Record<string, unknown>>;

const IN_TIME = { head: 'clean', driver: 'in process' } as const;
const READS = 'findings.read';
/** The members of a finding in the list. The list shows no texts, so the details are read. */
const finding = (id: string, severity: string, extra: Fields = {}): Fields => ({
  id,
  severity,
  title: `Title of ${id}`,
  triageStatus: 'PENDING',
  confirmationEvidence: null,
  filePath: 'src/a.js',
  ...extra,
});
const many = (count: number, severity: string, extra: Fields = {}) =>
  Array.from({ length: count }, (_, index) => finding(`${severity}-${index}`, severity, extra));
const TEXTS = { description: 'why', recommendedFix: 'how' };

/** The service lists these findings of the scan. */
const listing =
  (findings: readonly Fields[]): Act =>
  (_jobs, { path }) => {
    const query = new URL(path, 'http://service.test').searchParams;
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)];
    const items = findings.slice((page - 1) * limit, page * limit);
    return { status: 200, body: { items, page, limit, total: findings.length } };
  };
const idOf = (path: string) => decodeURIComponent(/\/findings\/([^/?]+)$/.exec(path)?.[1] ?? '');
/** The details of the finding that the run asks for. */
const detail =
  (extra: Fields = {}): Act =>
  (_jobs, { path }) => ({
    status: 200,
    body: { finding: { id: idOf(path), description: `about ${idOf(path)}`, ...extra } },
  });

const row = (findings: readonly Fields[], details: Effect = detail(), inputs: RunRow['inputs'] = {}) => ({
  ...IN_TIME,
  at: { 'findings.list': listing(findings), [READS]: details },
  inputs,
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
const warnsOf = (count: number, why = '') =>
  says(`Could not read the details of ${count === 1 ? '1 finding' : `${count} findings`}. ${why}`);

describe('the details of findings', () => {
  testRuns([
    {
      name: 'a run reads the details of the findings that it reports, and of no other',
      ...row([...many(9, 'LOW'), ...many(9, 'HIGH')]),
      ends: [blocked, asksFor(9), omits('Could not read'), summarizes('about HIGH-')],
    },
    ...(
      [
        ['starts with four requests at a time', 4, 4],
        ['sends more and more requests at a time', 200, 32],
      ] as const
    ).map(([what, count, width]) => ({
      name: `a run ${what} for details`,
      ...row(many(count, 'HIGH', { filePath: undefined })),
      ends: [asksFor(count), asksAtOnce(width)],
    })),
    {
      name: 'a run stays at four requests at a time if the service asks it to wait',
      ...IN_TIME,
      at: {
        'findings.list': listing(many(200, 'HIGH', { filePath: undefined })),
        [READS]: detail(),
        [`${READS} 1-4`]: limited(1),
      },
      ends: [asksFor(200), asksAtOnce(4)],
    },
    ...(
      [
        ['few if each is malformed', 50, { status: 200, body: {} }, [10, 14]],
        ['all if the service finds none', 9, refusingAs(404, 'not_found'), [9, 9]],
        ['at most four if the token is rejected', 40, refusingAs(401, 'unauthorized'), [1, 4]],
        ['at most four if the token may not read them', 40, refusingAs(403, 'forbidden'), [1, 4]],
        ['few if the rate limit lasts', 40, limited(1000), [1, 16]],
        ['at most four if no request arrives', 40, { fault: 'reset-before' }, [1, 4]],
      ] as const
    ).map(([what, count, answer, [least, most]]) => ({
      name: `a run reads of all details ${what}`,
      ...row(many(count, 'HIGH'), answer),
      ends: [blocked, asksFor(least, most), warnsOf(count), outputs({ 'findings-total': String(count) })],
    })),
    {
      name: 'a run warns of one finding whose details cannot be read',
      ...row(many(4, 'HIGH'), (jobs, request) =>
        idOf(request.path) === 'HIGH-1' ? refusingAs(404, 'not_found') : detail()(jobs, request),
      ),
      ends: [warnsOf(1), says('Re-run this job later.')],
    },
    ...(
      [
        [401, 'unauthorized', 'Ask a project admin of the service for a new token'],
        [403, 'forbidden', 'Ask a project admin of the service for a token with the `read` scope'],
        [500, 'internal', 'Re-run this job later.'],
      ] as const
    ).map(([status, code, step]) => ({
      name: `the warning about details after a ${status} ends in the next step of this error`,
      ...row(many(1, 'HIGH'), refusingAs(status, code)),
      ends: [warnsOf(1), says(`. ${step}`), omits('to read them')],
    })),
    {
      name: 'a run waits at most half a minute for the details',
      ...row(many(50, 'HIGH'), hanging),
      ends: [
        blocked,
        warnsOf(50, 'The service did not answer within 30 seconds. Re-run this job to read them.'),
        asksFor(4),
        ({ run }) => expect(run.durationMs).toBeLessThan(40_000),
      ],
    },
    {
      name: 'a run that is cancelled while it reads the details has no result',
      ...row(many(4, 'HIGH'), [cancelJob, hanging]),
      ends: [endedAs('scan-cancelled'), exits(1), says('before it had read all findings')],
    },
  ]);
});

describe('the report says which details are not read', () => {
  const UNREAD = 'The details of';
  testRuns(
    (
      [
        ['one of 51 findings', many(51, 'HIGH'), 1],
        ['no finding whose texts the list shows', many(60, 'HIGH', TEXTS), 0],
        [
          'findings of which the list shows only the description',
          many(60, 'HIGH', { description: 'why' }),
          10,
        ],
        [
          'findings whose proof of concept the list does not show',
          many(60, 'HIGH', { ...TEXTS, triageStatus: 'CONFIRMED', confirmationEvidence: 'POC' }),
          10,
        ],
        ['no finding below the threshold', many(60, 'LOW'), 0],
        ['a finding without a usable id', [finding('..', 'HIGH')], 1],
      ] as const
    ).map(([what, findings, unread]) => ({
      name: `the report says that it has not read the details of ${what}`,
      ...IN_TIME,
      at: {
        'findings.list': listing(findings),
        ...(findings.length > 1 && findings[0]?.['severity'] !== 'LOW' && { [READS]: detail() }),
      },
      ends: unread === 0 ? unsaid(UNREAD) : summarizes(`${UNREAD} ${unread}`),
    })),
  );
});

function unsaid(text: string): End {
  return ({ run }) => expect(run.summary).not.toContain(text);
}

describe('a finding in an exempt file', () => {
  const exempt = (id: string) => [finding(id, 'HIGH', { filePath: 'test/a.js' })];
  const inputs = { 'paths-exempt': 'test/**' };
  testRuns([
    {
      name: 'a finding is exempt if its detail shows no file',
      ...row(exempt('f'), detail(), inputs),
      ends: passed,
    },
    {
      name: 'a finding is exempt if its detail shows the same file',
      ...row(exempt('f'), detail({ filePath: 'test/a.js' }), inputs),
      ends: passed,
    },
    {
      name: 'a finding blocks if its detail shows another file',
      ...row(exempt('f'), detail({ filePath: 'src/a.js' }), inputs),
      ends: blocked,
    },
    {
      name: 'a finding blocks if its detail cannot be read',
      ...row(exempt('f'), failing, inputs),
      ends: blocked,
    },
    {
      name: 'a finding blocks if it has no usable id',
      ...IN_TIME,
      at: { 'findings.list': listing(exempt('..')) },
      inputs,
      ends: [blocked, requests(READS, 0)],
    },
  ]);
});

describe('the result of a completed scan', () => {
  const unfinished = showingInstead((body) =>
    JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'phasesCompleted' ? 1 : value)),
  );
  const odd = [finding('odd', 'HIGH', { triageStatus: 'MAYBE' })];
  const inputs = { 'fail-on-evidence': 'confirmed' };
  testRuns([
    {
      name: 'a run warns of phases that did not finish, and of a triage that it does not know',
      ...IN_TIME,
      at: { 'findings.list': listing(odd), [READS]: detail(), 'scans.read': unfinished },
      inputs,
      ends: [blocked, says('only 1 of 6 phases finished', 'unknown: MAYBE')],
    },
    {
      name: 'a run does not warn of a missing triage if the details show it',
      ...row(
        [finding('silent', 'HIGH', { triageStatus: undefined })],
        detail({ triageStatus: 'PENDING' }),
        inputs,
      ),
      ends: [passed, omits('counts as proven')],
    },
    ...(
      [
        ['is malformed', { status: 200, body: {} }, 'service-error', 'findings', '30'],
        ['is not found', refusingAs(404, 'not_found'), 'service-error', 'no longer finds the scan', '30'],
        ['is not read in time', hanging, 'timeout', 'before it had read all findings', '1'],
      ] as const
    ).map(([what, answer, reason, text, minutes]) => ({
      name: `a run has no result if the list of findings ${what}`,
      ...IN_TIME,
      at: { 'findings.list': answer, 'scans.read': unfinished },
      inputs: { 'timeout-minutes': minutes },
      ends: [notScanned(reason, { launches: 1, texts: [text] }), omits('phases finished, so')],
    })),
  ]);
});
