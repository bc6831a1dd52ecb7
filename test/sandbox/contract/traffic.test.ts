import { describe, expect, test } from 'vitest';
import { operationsOf } from '../../../sandbox/contract/operations.ts';
import { readContract } from '../../../sandbox/contract/read-contract.ts';
import { createTrafficCheck } from '../../../sandbox/contract/traffic.ts';

const contract = readContract();
const check = createTrafficCheck(contract);
const SCANS = '/projects/p/scans';
const headers = { authorization: 'Bearer svc_proj_a_b', 'content-type': 'application/json' };

const launch = { presetRef: 'diff', repositoryId: 'r', baseCommit: 'b', commit: 'c', creditBudget: 20 };
const request = (method: string, path: string, body?: unknown, exact = true) =>
  check.request({ method, path, headers, body }, exact);
const answer = (method: string, path: string, status: number, body: unknown, more = {}) =>
  check.answer({ method, path, headers, body: undefined }, { status, body, headers: more }, false);
const refusal = (code: string) => ({ error: { code, message: 'No.' } });

describe('a request', () => {
  test.each<[what: string, method: string, path: string, body?: unknown]>([
    ['a request for a list', 'GET', `${SCANS}?page=1&limit=100`],
    ['a filter that looks like a number', 'GET', '/projects/p/findings?scanId=12&page=2'],
    ['a launch', 'POST', SCANS, launch],
    ['a request without its optional body', 'POST', `${SCANS}/s/publish`],
    ['an encoded id', 'GET', '/projects/a%2Fb/scans/x%20y'],
  ])('the check accepts a request that keeps to the contract: %s', (_what, method, path, body) => {
    expect(request(method, path, body)).toEqual([]);
  });

  test.each<[fault: string, method: string, path: string, body?: unknown]>([
    ['GET /nowhere: request: the contract has no such endpoint', 'GET', '/nowhere'],
    ['PUT /projects/p/scans: request: the contract has no such endpoint', 'PUT', SCANS],
    ['the query parameter page: the value must be >= 1, not 0', 'GET', `${SCANS}?page=0`],
    ['the query parameter limit: the value must be integer, not ten', 'GET', `${SCANS}?limit=ten`],
    ['unknown query parameter size', 'GET', `${SCANS}?size=1`],
    ['page: the value must be <= 9007199254740991', 'GET', `${SCANS}?page=9007199254740992`],
    ['limit: the value must be <= 9007199254740991', 'GET', `${SCANS}?limit=9007199254740992`],
    ['branch: the value must NOT have fewer than 1', 'GET', '/projects/p/repositories/r/audit-areas?branch='],
    ['creditBudget must be <= 9007199254740991', 'POST', SCANS, { ...launch, creditBudget: 2 ** 53 }],
    ['a body is expected', 'POST', SCANS],
    ['no body is expected', 'POST', `${SCANS}/s/cancel`, {}],
    ["the value must have required property 'presetRef'", 'POST', SCANS, { repositoryId: 'r' }],
    ['the value: the contract does not name budget', 'POST', SCANS, { ...launch, budget: 1 }],
    ['creditBudget must be integer', 'POST', SCANS, { ...launch, creditBudget: '20' }],
    ['auditAreaKeys.1 must be string', 'POST', SCANS, { ...launch, auditAreaKeys: ['a', 2] }],
  ])('the check reports a request that breaks the contract: %s', (fault, method, path, body) => {
    expect(request(method, path, body)).toEqual([expect.stringContaining(fault)]);
  });

  test('if `exact` is false, the check accepts unknown names in a request', () => {
    expect(request('POST', SCANS, { ...launch, budget: 1 }, false)).toEqual([]);
    expect(request('GET', `${SCANS}?size=1`, undefined, false)).toEqual([]);
    expect(request('POST', SCANS, { ...launch, creditBudget: 0.5 }, false)).toHaveLength(1);
  });

  test('the check reports wrong headers of a request', () => {
    const bare = { method: 'POST', path: SCANS, headers: {}, body: launch };
    expect(check.request(bare, true)).toEqual([
      'POST /projects/{projectId}/scans: request: the header Authorization is not a bearer token',
      'POST /projects/{projectId}/scans: request: the header Content-Type is not application/json',
    ]);
  });

  const REPOSITORY = '/projects/p/repositories/r';
  test.each<[what: string, method: string, path: string, most: object, over: object]>([
    ['guidance', 'PUT', `${REPOSITORY}/guidance`, text('content', 100_000), text('content', 100_001)],
    [
      'the guidance of a scan',
      'POST',
      SCANS,
      { ...launch, ...text('guidance', 100_000) },
      { ...launch, ...text('guidance', 100_001) },
    ],
    [
      'the name of an area: only white space',
      'POST',
      `${REPOSITORY}/audit-areas`,
      { name: ' a' },
      { name: ' \n' },
    ],
    ['the name of an area', 'POST', `${REPOSITORY}/audit-areas`, text('name', 120), text('name', 121)],
    [
      'the description of an area',
      'POST',
      `${REPOSITORY}/audit-areas`,
      { name: 'a', ...text('description', 500) },
      { name: 'a', ...text('description', 501) },
    ],
    ['a note: an empty text', 'POST', '/projects/p/findings/f/notes', text('content', 1), text('content', 0)],
    [
      'the kind of a pin',
      'POST',
      '/projects/p/findings/f/notes/n/pin',
      { kind: 'resolution' },
      { kind: 'other' },
    ],
  ])('the check reports an invalid value for %s', (_what, method, path, most, over) => {
    expect(request(method, path, most)).toEqual([]);
    expect(request(method, path, over)).toHaveLength(1);
  });

  const RESOLUTION = '/projects/p/findings/f/resolution';
  test.each<[resolutionStatus: string, own: string, of: string]>([
    ['RESOLVED', 'fixed_upstream', 'monitored'],
    ['MITIGATED', 'monitored', 'misread_code'],
    ['FALSE_POSITIVE', 'misread_code', 'risk_accepted'],
    ['WONT_FIX', 'risk_accepted', 'same_root_cause'],
    ['DUPLICATE', 'same_root_cause', 'code_removed'],
  ])('the check reports a reason that does not belong to the status %s', (resolutionStatus, own, other) => {
    const change = (rest: object) => request('PATCH', RESOLUTION, { resolutionStatus, ...rest });
    expect(change({ reason: own })).toEqual([]);
    expect(change({ reason: other })).not.toEqual([]);
    expect(change({ reason: other, note: { content: 'x' } })).toEqual([]);
    expect(request('PATCH', RESOLUTION, { resolutionStatus: 'IN_PROGRESS', reason: other })).toEqual([]);
  });
});

test('the note of a resolution has either a text or the id of an existing note', () => {
  const change = (note: unknown) =>
    request('PATCH', '/projects/p/findings/f/resolution', { resolutionStatus: 'RESOLVED', note });
  expect(change({ content: 'x' })).toEqual([]);
  expect(change({ existingNoteId: 'n' })).toEqual([]);
  for (const wrong of [{}, { content: 'x', existingNoteId: 'n' }, { content: '' }, null, 'x'])
    expect(change(wrong), JSON.stringify(wrong)).not.toEqual([]);
});

describe('an answer', () => {
  const scan = (status: string) => ({ scan: { status, progress: { phasesCompleted: 1, phasesTotal: 6 } } });
  const later = { 'retry-after': '5' };

  test.each<[what: string, method: string, path: string, status: number, body: unknown, headers?: object]>([
    ['a scan that runs', 'GET', `${SCANS}/s`, 200, scan('RUNNING'), later],
    ['a scan that ended', 'GET', `${SCANS}/s`, 200, scan('FAILED')],
    ['a refusal', 'POST', SCANS, 400, refusal('diff_base_required')],
    ['a refusal with `Retry-After`', 'GET', '/token', 429, refusal('rate_limited'), later],
    ['a refusal of a path that is not an endpoint', 'GET', '/nowhere', 404, refusal('not_found')],
  ])(
    'the check accepts an answer that keeps to the contract: %s',
    (_what, method, path, status, body, sent) => {
      expect(answer(method, path, status, body, sent)).toEqual([]);
    },
  );

  test.each<[fault: string, method: string, path: string, status: number, body: unknown, headers?: object]>([
    ['answer 200: the contract has 202, 400, 401', 'POST', SCANS, 200, { scanId: 's' }],
    ['answer 200: the contract has no such endpoint', 'GET', '/nowhere', 200, {}],
    ['the header retry-after is missing', 'GET', `${SCANS}/s`, 200, scan('QUEUED')],
    ['the header retry-after is not expected', 'GET', `${SCANS}/s`, 200, scan('COMPLETED'), later],
    [
      'the header retry-after: the value must be integer',
      'GET',
      '/token',
      429,
      refusal('rate_limited'),
      { 'retry-after': 'soon' },
    ],
    ['the header retry-after is missing', 'GET', '/token', 429, refusal('rate_limited')],
    [
      'error.code must be equal to constant ("not_found"), not gone',
      'GET',
      `${SCANS}/s`,
      404,
      refusal('gone'),
    ],
    ['error.code must be equal to one of', 'POST', SCANS, 400, refusal('diff_empty')],
    ["error must have required property 'message'", 'GET', SCANS, 401, { error: { code: 'unauthorized' } }],
    [
      'the value: the contract does not name detail',
      'GET',
      SCANS,
      401,
      { ...refusal('unauthorized'), detail: 1 },
    ],
    ['the body is text/plain, expected JSON', 'GET', SCANS, 200, '{}', { 'content-type': 'text/plain' }],
    ['items must be array', 'GET', SCANS, 200, { items: {}, page: 1, limit: 50, total: 0 }],
    ['items.0 must be object', 'GET', SCANS, 200, { items: ['s'], page: 1, limit: 50, total: 1 }],
    [
      'items.0.status must be string',
      'GET',
      SCANS,
      200,
      { items: [{ status: 1 }], page: 1, limit: 50, total: 1 },
    ],
    ['limit must be <= 100, not 500', 'GET', SCANS, 200, { items: [], page: 1, limit: 500, total: 0 }],
    [
      'items.0: the contract does not name state',
      'GET',
      SCANS,
      200,
      { items: [{ status: 'QUEUED', state: 1 }], page: 1, limit: 50, total: 1 },
    ],
  ])(
    'the check reports an answer that breaks the contract: %s',
    (fault, method, path, status, body, sent) => {
      expect(answer(method, path, status, body, sent).join('\n')).toContain(fault);
    },
  );

  test('a check that requires complete answers reports a missing member', () => {
    const sent = { method: 'GET', path: '/token', headers, body: undefined };
    expect(check.answer(sent, { status: 200, body: {} }, false)).toEqual([]);
    expect(check.answer(sent, { status: 200, body: {} }, true)).toEqual([
      "GET /token: answer 200: the value must have required property 'project'",
    ]);
  });
});

test('the check uses the schema of every answer and every request body', () => {
  for (const { method, path, answers, body } of operationsOf(contract)) {
    for (const status of answers.keys()) {
      for (const complete of [true, false]) {
        const sent = { method, path, headers, body: undefined };
        const faults = check.answer(sent, { status: Number(status), body: null, headers: later }, complete);
        expect(faults.join(), `${method} ${path} ${status}`).toContain('must be object');
      }
    }
    for (const exact of body === undefined ? [] : [true, false]) {
      expect(request(method, path, null, exact).join(), `${method} ${path}`).toContain('must be object');
    }
  }
});

const later = { 'retry-after': '1' };

function text(member: string, length: number): Record<string, string> {
  return { [member]: 'x'.repeat(length) };
}
