import { expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { err, ok, type Result, Stop } from '../../../src/domain/result.ts';
import type { PendingLaunch, Scan, ScanList } from '../../../src/domain/scan.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { findLost, isOfLaunch } from '../../../src/scan/lost-launch.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { serviceStep } from '../../support/service-step.ts';
import { pullRequestByRest } from '../github/answers.ts';
import { SHA } from '../github/samples.ts';
import { answers, aScan, polled, refused, stopped, unreachable } from './fake-api.ts';
import { aMark, markText, SEAL } from './marked.ts';
import { commentBody, comments, marksOn, onGitHub, refusal, type Shown } from './on-github.ts';
import { listOf, pageOf, pendingLaunch, whole } from './sample-subject.ts';

type List = Result<ScanList, ApiError>;

const READ_AT = Date.parse('2026-01-15T12:00:00Z');
const CUT_OFF = { ids: ['old'], complete: false };
const AWAY = refused(500, 'internal', { operation: 'list the scans' });

test.each<
  [what: string, isOurs: object, before: PendingLaunch['before'], lists: readonly List[], createdAt?: string]
>([
  ['is not listed before', ok(true), { ids: ['old'], complete: true }, []],
  ['is listed before', ok(false), { ids: ['s'], complete: true }, []],
  ['is older', ok(false), { ids: ['old'], complete: true, readAt: READ_AT }, [], '2026-01-15T11:58:59Z'],
  ['stands above the known scans of a cut-off list', ok(true), CUT_OFF, [ok(pageOf('s', 'old'))]],
  ['stands below a known scan of a cut-off list', ok(false), CUT_OFF, [ok(pageOf('old', 's'))]],
  ['no list shows in a minute', ok(false), CUT_OFF, Array.from({ length: 13 }, () => ok(pageOf('old')))],
  ['cannot be compared, because no list was read before', ok(false), undefined, []],
  [
    'is found after failed reads of the list',
    ok(true),
    CUT_OFF,
    [AWAY, refused(401, 'unauthorized'), ok(pageOf('s', 'old'))],
  ],
  [
    'cannot be compared, because the service does not find the project',
    {
      ok: false,
      error: {
        cause: 'The service no longer finds the scan that it showed before (`not_found`).',
      },
    },
    CUT_OFF,
    Array.from({ length: 15 }, () => refused(404, 'not_found', { operation: 'list the scans' })),
  ],
  [
    'cannot be compared before a stop',
    {
      ok: false,
      error: { bySignal: true, cause: 'The job was cancelled before it could confirm the scan.' },
    },
    CUT_OFF,
    [AWAY, stopped('signal')],
  ],
])('isOfLaunch reports a scan that %s', async (_what, result, before, lists, createdAt) => {
  const scans = answers<ScanList>(...lists);
  expect(
    await isOfLaunch(serviceStep({ scans }), { ...pendingLaunch, before }, { scanId: 's', createdAt }),
  ).toMatchObject(result);
  expect(scans.calls).toHaveLength(lists.length);
});

interface Search {
  /** The answers to the reads of the scan list; the last one repeats. Default: the scan `new` is listed. */
  readonly lists?: readonly [List, ...List[]];
  /** What the details of a scan show. By default, those of `new` match. The remaining details cannot be read. */
  readonly details?: Readonly<Record<string, Partial<Scan>>>;
  /** What GitHub shows. Default: no marks. */
  readonly shown?: Shown | 'no client';
  readonly launch?: Partial<PendingLaunch>;
  /** The id in the answer to the launch. */
  readonly named?: string;
  /** When and how the search ends. By default, it ends after a minute, as in a run. */
  readonly ends?: { readonly ms: number; readonly by: 'timeout' | 'signal' };
}

const OLD = { id: 'old', ...whole };
const NEW = ok(listOf('new', OLD));
const NONE = ok(listOf(OLD));

async function play({ lists = [NEW], details = { new: whole }, shown = {}, launch, named, ends }: Search) {
  const clock = new FakeClock();
  const limit = new AbortController();
  const { ms, by } = ends ?? { ms: 60_000, by: 'timeout' };
  const ticking: Clock = {
    now: () => clock.now(),
    date: () => clock.date(),
    timeout: (length) => clock.timeout(length),
    // Only the waits of the search take time, so the search ends during a wait.
    sleep: async (length) => {
      const left = ms - clock.elapsed();
      await clock.sleep(Math.min(length, left));
      if (length >= left) limit.abort(new Stop(by));
    },
  };
  const looks: number[] = [];
  const detailed: string[] = [];
  const api = {
    scans: async (_project: string, options?: object) => {
      expect(options).toEqual({ signal: limit.signal });
      const list = lists[Math.min(looks.length, lists.length - 1)] ?? AWAY;
      looks.push(clock.elapsed() / 1_000);
      return list;
    },
    scan: async (_project: string, id: string, options?: object) => {
      expect(options).toEqual({ signal: limit.signal });
      detailed.push(id);
      return details[id] ? polled(aScan('QUEUED', { ...details[id], id })) : refused(500, 'internal');
    },
  };
  const { github, asked } = onGitHub(shown === 'no client' ? {} : shown);
  const step = serviceStep(api, { clock: ticking, signal: limit.signal, random: () => 0.5 });
  const where = { ...step, github: shown === 'no client' ? undefined : github, seal: SEAL };
  const result = await findLost(where, { ...pendingLaunch, ...launch }, named);
  return { result, looks, detailed, asked };
}

/** What was found, at which seconds the list was read, and how often GitHub was asked for what. */
async function search(given: Search): Promise<string> {
  const { result, looks, asked } = await play(given);
  const found = result.kind === 'found' ? result.scanId : [result.why, ...result.ids].join(' ');
  const times = looks.length < 10 ? looks.join(' ') : `${looks.length} times up to ${looks.at(-1)}`;
  const counts = [...new Set(asked)].map((what) => `${asked.filter((one) => one === what).length} × ${what}`);
  const facts = [...(looks.length === 0 ? [] : [`looks at ${times} s`]), ...counts];
  return [found, ...facts].join(', ');
}
const searches = (given: Readonly<Record<string, Search>>) => casesOf(search, given);

const mark = (scanId: string) => markText({ scanId });
const marks = (...scanIds: readonly string[]) => marksOn(SHA.head, ...scanIds.map(mark));
const forged = encodeMark(aMark({ scanId: 'new' }), createSeal('another token', '1296269'));
const OF_PULL_REQUEST = { pullRequest: 5 };
const BY_REST = {
  'pull request 5': refusal(502),
  'pull request 5 by REST': { status: 200, body: pullRequestByRest() },
};
const ofPullRequest = (shown: Shown): Search => ({ launch: OF_PULL_REQUEST, shown });

test('findLost searches for the scan of a lost launch as lost-launch.txt shows', async () => {
  await expectTable('lost-launch', {
    'two looks': searches({
      'the only new scan': {},
      'a scan that is listed later': {
        lists: [NONE, AWAY, unreachable('unknown', 'reset'), refused(401, 'unauthorized'), NEW],
      },
      'another new scan in the second list': {
        lists: [NEW, ok(listOf('second', 'new', OLD)), NEW],
        details: { new: whole, second: whole },
      },
      'a different new scan in the second list': {
        lists: [ok(listOf('first', OLD)), NEW],
        details: { new: whole, first: whole },
      },
      'a different new scan in the second list, at the end of the search': {
        lists: [ok(listOf('first', OLD)), NEW],
        details: { new: whole, first: whole },
        ends: { ms: 5_500, by: 'timeout' },
      },
      'a failed second read': { lists: [NEW, AWAY, NEW] },
      'a scan that the second list does not show': { lists: [NEW, NONE] },
      'a timeout before the second look': { ends: { ms: 1_000, by: 'timeout' } },
      'a signal before the second look': { ends: { ms: 1_000, by: 'signal' } },
      'the named scan, which is older than the launch': { lists: [NONE], named: 'old' },
      'the named scan, which is listed later': {
        lists: [NONE, ok(listOf({ id: 'new', headSha: SHA.other }, OLD))],
        named: 'new',
      },
      'the named scan, above a known scan of a cut-off list': {
        lists: [ok(pageOf({ id: 'new', headSha: SHA.other }, 'old'))],
        launch: { before: CUT_OFF },
        named: 'new',
      },
      'the named scan, below a known scan of a cut-off list': {
        lists: [ok(pageOf('old', { id: 'new', headSha: SHA.other }))],
        launch: { before: CUT_OFF },
        named: 'new',
      },
      'a scan without an id': { lists: [ok(listOf(undefined, OLD))] },
    }),
    'the marks': searches({
      'no new scan': { lists: [NONE], launch: OF_PULL_REQUEST },
      'a mark in a check run names the scan': { shown: { 'checks of head': marks('new') } },
      'a mark comes between the two looks': { shown: { 'checks of head': [marks(), marks('new'), marks()] } },
      'a mark in a comment of any author and check': ofPullRequest({
        'pull request 5': comments({ mark: mark('new'), checkName: 'Another check', by: 'mona' }),
      }),
      'a mark in a comment, if GraphQL fails': ofPullRequest({
        ...BY_REST,
        'comments of 5': {
          status: 200,
          body: [{ id: 1, body: commentBody({ mark: mark('new') }), user: null }],
        },
      }),
      'marks of another token': ofPullRequest({
        'checks of head': marksOn(SHA.head, forged),
        'pull request 5': comments({ mark: forged }),
      }),
      'a comment without a mark, and a second scan without an id': {
        lists: [ok(listOf('new', undefined, OLD))],
        ...ofPullRequest({ 'pull request 5': comments({}) }),
      },
      'a mark names another scan': {
        lists: [ok(listOf('x', 'new', OLD))],
        details: { new: whole, x: whole },
        shown: { 'checks of head': marks('x') },
      },
      'unreadable check runs': ofPullRequest({ 'checks of head': refusal(403) }),
      'an unreadable pull request': ofPullRequest({
        'pull request 5': refusal(403),
        'pull request 5 by REST': refusal(403),
      }),
      'unreadable comments': ofPullRequest({ ...BY_REST, 'comments of 5': refusal(403) }),
      'GitHub cannot be asked': { shown: 'no client' },
    }),
    'no scan is found': searches({
      'in a minute': { lists: [NONE] },
      'if several match': { lists: [ok(listOf('new', 'x'))], details: { new: whole, x: whole } },
      'on a page whose next page may show another one': { lists: [ok(pageOf('new'))] },
      'in an unreadable list': { lists: [AWAY] },
      'in a list that becomes unreadable': { lists: [ok(listOf('x')), AWAY] },
      'if the end of the search stops the first read': {
        lists: [err(stopped('timeout').error)],
        ends: { ms: 500, by: 'timeout' },
      },
      'if the end of the search stops a read': {
        lists: [ok(listOf('x')), err(stopped('timeout').error)],
        ends: { ms: 1_500, by: 'timeout' },
      },
      'for a full scan': { launch: { subject: { ...whole, guidance: undefined, baseSha: undefined } } },
      'for a launch that was not saved in full': { launch: { subject: undefined } },
      'for a launch before which no list was read': { launch: { before: undefined } },
    }),
  });
});

test('findLost reads the details of at most twenty scans at a time, of those with an id', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
  const { detailed } = await play({
    lists: [ok(listOf(undefined, ...ids))],
    ends: { ms: 500, by: 'timeout' },
  });
  expect(detailed).toEqual(ids.slice(0, 20));
});
