import { expect, test } from 'vitest';
import { operationsOf } from '../../../sandbox/contract/operations.ts';
import { readContract } from '../../../sandbox/contract/read-contract.ts';
import { createTrafficCheck } from '../../../sandbox/contract/traffic.ts';
import { brief } from '../play.ts';

const contract = readContract();
const check = createTrafficCheck(contract);
const headers = { authorization: 'Bearer svc_proj_a_b', 'content-type': 'application/json' };
const SCANS = '/projects/p/scans';
const AREAS = '/projects/p/repositories/r/audit-areas';
const GUIDANCE = '/projects/p/repositories/r/guidance';
const RESOLUTION = '/projects/p/findings/f/resolution';
const later = { 'retry-after': '5' };

const launch = (over: object) =>
  ['POST', SCANS, { presetRef: 'diff', repositoryId: 'r', creditBudget: 20, ...over }] as const;
const resolve = (resolutionStatus: string, more: object) =>
  ['PATCH', RESOLUTION, { resolutionStatus, ...more }] as const;
const refusal = (code: string) => ({ error: { code, message: 'No.' } });
const text = (length: number) => 'x'.repeat(length);
const scan = (status: string) => ({ scan: { status, progress: { phasesCompleted: 1, phasesTotal: 6 } } });
const list = (...items: readonly unknown[]) => ({ items, page: 1, limit: 50, total: items.length });

const REQUESTS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['GET', `${SCANS}?page=1&limit=100`],
  ['GET', '/projects/p/findings?scanId=12&page=2'],
  ['GET', '/projects/a%2Fb/scans/x%20y'],
  ['GET', '/nowhere'],
  ['PUT', SCANS],
  ['GET', `${SCANS}?page=0`],
  ['GET', `${SCANS}?limit=ten`],
  ['GET', `${SCANS}?size=1`],
  ['GET', `${SCANS}?page=${2 ** 53}&limit=${2 ** 53}`],
  ['GET', `${AREAS}?branch=`],
  launch({ baseCommit: 'b', commit: 'c' }),
  launch({ creditBudget: 2 ** 53 }),
  launch({ creditBudget: '20' }),
  launch({ presetRef: undefined }),
  launch({ budget: 1 }),
  launch({ auditAreaKeys: ['a', 2] }),
  launch({ guidance: text(100_000) }),
  launch({ guidance: text(100_001) }),
  ['POST', SCANS],
  ['POST', `${SCANS}/s/publish`],
  ['POST', `${SCANS}/s/cancel`, {}],
  ['PUT', GUIDANCE, { content: text(100_000) }],
  ['PUT', GUIDANCE, { content: text(100_001) }],
  ['POST', AREAS, { name: ' a' }],
  ['POST', AREAS, { name: ' \n' }],
  ['POST', AREAS, { name: text(120), description: text(500) }],
  ['POST', AREAS, { name: text(121), description: text(501) }],
  ['POST', '/projects/p/findings/f/notes', { content: 'x' }],
  ['POST', '/projects/p/findings/f/notes', { content: '' }],
  ['POST', '/projects/p/findings/f/notes/n/pin', { kind: 'resolution' }],
  ['POST', '/projects/p/findings/f/notes/n/pin', { kind: 'other' }],
  ...[
    ['RESOLVED', 'fixed_upstream', 'monitored'],
    ['MITIGATED', 'monitored', 'misread_code'],
    ['FALSE_POSITIVE', 'misread_code', 'risk_accepted'],
    ['WONT_FIX', 'risk_accepted', 'same_root_cause'],
    ['DUPLICATE', 'same_root_cause', 'code_removed'],
  ].flatMap(([status = '', own, other]) => [
    resolve(status, { reason: own }),
    resolve(status, { reason: other }),
    resolve(status, { reason: other, note: { content: 'x' } }),
  ]),
  resolve('IN_PROGRESS', { reason: 'monitored' }),
  ...[{ existingNoteId: 'n' }, {}, { content: 'x', existingNoteId: 'n' }, { content: '' }, null, 'x'].map(
    (note) => resolve('RESOLVED', { note }),
  ),
];

const ANSWERS: readonly (readonly [
  method: string,
  path: string,
  status: number,
  body: unknown,
  headers?: object,
])[] = [
  ['GET', `${SCANS}/s`, 200, scan('RUNNING'), later],
  ['GET', `${SCANS}/s`, 200, scan('FAILED')],
  ['GET', `${SCANS}/s`, 200, scan('QUEUED')],
  ['GET', `${SCANS}/s`, 200, scan('COMPLETED'), later],
  ['POST', SCANS, 400, refusal('diff_base_required')],
  ['POST', SCANS, 400, refusal('diff_empty')],
  ['POST', SCANS, 200, { scanId: 's' }],
  ['GET', '/nowhere', 404, refusal('not_found')],
  ['GET', '/nowhere', 200, {}],
  ['GET', '/token', 429, refusal('rate_limited'), later],
  ['GET', '/token', 429, refusal('rate_limited'), { 'retry-after': 'soon' }],
  ['GET', '/token', 429, refusal('rate_limited')],
  ['GET', `${SCANS}/s`, 404, refusal('gone')],
  ['GET', SCANS, 401, { error: { code: 'unauthorized' } }],
  ['GET', SCANS, 401, { ...refusal('unauthorized'), detail: 1 }],
  ['GET', SCANS, 200, '{}', { 'content-type': 'text/plain' }],
  ['GET', SCANS, 200, { ...list(), items: {} }],
  ['GET', SCANS, 200, { ...list(), limit: 500 }],
  ['GET', SCANS, 200, list('s')],
  ['GET', SCANS, 200, list({ status: 1 })],
  ['GET', SCANS, 200, list({ status: 'QUEUED', state: 1 })],
];

test('the check reports what breaks the contract in a request and in an answer', async () => {
  const lines = (what: string, faults: readonly string[]) =>
    brief(
      [what, ...(faults.length === 0 ? ['→ fine'] : faults.map((fault) => `→ ${fault.trimEnd()}`))].join(
        '\n',
      ),
    );
  const requests = REQUESTS.map(([method, path, body]) =>
    lines(
      `${method} ${path} ${JSON.stringify(body) ?? ''}`.trimEnd(),
      check.request({ method, path, headers, body }, true),
    ),
  );
  const answers = ANSWERS.map(([method, path, status, body, more = {}]) =>
    lines(
      `${method} ${path}: ${status} ${JSON.stringify(body)} ${Object.entries(more).join()}`.trimEnd(),
      check.answer({ method, path, headers, body: undefined }, { status, body, headers: { ...more } }, false),
    ),
  );
  await expect(`${[...requests, '', ...answers].join('\n')}\n`).toMatchFileSnapshot('traffic.golden.txt');
});

test('if `exact` is false, the check accepts unknown names and headers in a request', () => {
  const request = (path: string, body?: unknown) =>
    check.request({ method: body === undefined ? 'GET' : 'POST', path, headers, body }, false);
  expect(request(SCANS, launch({ budget: 1 })[2])).toEqual([]);
  expect(request(`${SCANS}?size=1`)).toEqual([]);
  expect(request(SCANS, launch({ creditBudget: 0.5 })[2])).toHaveLength(1);
  const bare = { method: 'POST', path: SCANS, headers: {}, body: launch({})[2] };
  expect(check.request(bare, true)).toEqual([
    'POST /projects/{projectId}/scans: request: the header Authorization is not a bearer token',
    'POST /projects/{projectId}/scans: request: the header Content-Type is not application/json',
  ]);
});

test('a check that requires complete answers reports a missing member', () => {
  const sent = { method: 'GET', path: '/token', headers, body: undefined };
  expect(check.answer(sent, { status: 200, body: {} }, false)).toEqual([]);
  expect(check.answer(sent, { status: 200, body: {} }, true)).toEqual([
    "GET /token: answer 200: the value must have required property 'project'",
  ]);
});

test('the check uses the schema of every answer and every request body', () => {
  for (const { method, path, answers, body } of operationsOf(contract)) {
    const sent = { method, path, headers, body: null };
    for (const isStrict of [true, false]) {
      for (const status of answers.keys()) {
        const answer = { status: Number(status), body: null, headers: later };
        expect(check.answer(sent, answer, isStrict).join(), `${method} ${path} ${status}`).toContain(
          'must be object',
        );
      }
      if (body !== undefined) expect(check.request(sent, isStrict).join(), path).toContain('must be object');
    }
  }
});
