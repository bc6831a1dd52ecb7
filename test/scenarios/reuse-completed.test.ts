import { expect } from 'vitest';
import { anEarlierRun, forbidden, missing, triages, unavailable, unknown } from './effects.ts';
import { requests, summarizes } from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import type { End } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act, Timeline } from './timeline.ts';

const FIRST = anEarlierRun();
const RERUN = { earlier: [FIRST], attempt: 2 };
const OWN = { 'reuse-scan': 'false' };
const ONLY_COMMENTS = { permissions: { contents: 'read', 'pull-requests': 'write' } } as const;
const WRITES = 'comments.create|comments.update';

/** Both marks begin with the same scan, pull request, keys, launch and cost. They differ only in attempt and MAC. */
const marksDiffer: End = ({ environment: { github } }) => {
  const common = /^v2:[^:]+:7:[\w-]{27}:[\w-]{27}:[\w-]{22}:[\w-]{22}:\d{10}:20:-:-:/;
  const [one = '', other = ''] = github.checkRuns.map(({ externalId }) => externalId ?? '');
  expect(one).toMatch(common);
  expect(common.exec(other)?.[0]).toBe(common.exec(one)?.[0]);
  expect(one).toMatch(/:\d+\.1:[\w-]{43}$/);
  expect(other).toMatch(/:\d+\.2:[\w-]{43}$/);
};
const NINE_REQUESTS = [
  'check.create',
  'check.list',
  'check.list',
  'check.update',
  'comments.create',
  'comments.list',
  'compare',
  'graphql',
  'graphql',
];

testScans('reuse-completed', RERUN, {
  'a re-run reuses the completed scan, uses no credits, and creates its own check run with annotations': {
    ends: [marksDiffer, summarizes('scan of another run, no credits used')],
  },
  'a re-run passes if all findings were triaged after the first run': {
    at: { 'findings.list 1': triages({ resolutionStatus: 'FALSE_POSITIVE' }) },
  },
  'a re-run with the same result does not rewrite the comment': {
    earlier: [FIRST, anEarlierRun({}, {}, { runAttempt: 2 })],
    attempt: 3,
    ends: requests(WRITES, 0),
  },
  'a run that could not scan keeps the mark in the comment for the next run': {
    github: ONLY_COMMENTS,
    earlier: [FIRST, anEarlierRun({}, { presets: unavailable }, { runAttempt: 2 })],
    attempt: 3,
  },
  'a run that launches a scan sends nine requests to GitHub': {
    earlier: [],
    ends: ({ environment: { github } }) =>
      expect(github.requests.map(({ point }) => point).toSorted()).toEqual(NINE_REQUESTS),
  },
  'a re-run with `reuse-scan: false` launches another scan': { inputs: OWN },
  'a run with another budget launches another scan': { inputs: { 'credit-budget': '30' } },
  'a re-run launches another scan if the earlier scan failed': { service: { pace: { ending: 'FAILED' } } },
});

/** Sends a request to GitHub. Any workflow of the repository can send it, because all workflows write as the same app. */
async function write({ scenario: { environment } }: OtherJobs, method: string, path: string, body: object) {
  const { github, repository } = environment;
  const response = await fetch(`${github.apiUrl}/repos/${repository}/${path}`, {
    method,
    headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}
/** The mark of the check run with this index, as a copy in another check run. */
const inCheckRun =
  (index: number, fields: object): Act =>
  async (jobs) => {
    const mark = jobs.scenario.environment.github.checkRuns[index]?.externalId;
    const body = { name: 'Another check', head_sha: jobs.scenario.headSha, external_id: mark, ...fields };
    await write(jobs, 'POST', 'check-runs', body);
    return undefined;
  };
/** The mark of the first check run, in place of the mark in the comment of the gate. */
const inComment: Act = async (jobs) => {
  const [comment] = jobs.scenario.environment.github.comments;
  const mark = jobs.scenario.environment.github.checkRuns[0]?.externalId ?? '';
  const body = comment?.body.replace(/(?<=scangate-state )v2:[^; ]+/, mark);
  await write(jobs, 'PATCH', `issues/comments/${comment?.id}`, { body });
  return undefined;
};
const DONE = { status: 'completed', conclusion: 'success' };

/** The oldest scan found nothing. All later scans of the same change block. */
const OLDEST_PASSES: Timeline = {
  'findings.list': ({ scenario: { environment } }, { path }) =>
    path.includes(environment.service.scans().at(-1)?.id ?? '')
      ? { status: 200, body: { items: [], page: 1, limit: 100, total: 0 } }
      : undefined,
};
const PASSED_THEN_BLOCKED = [
  anEarlierRun({}, OLDEST_PASSES),
  anEarlierRun(OWN, OLDEST_PASSES, { runAttempt: 2 }),
];
/** The service does not find the newest scan so many times. */
const newestIsGone = (times: number): Timeline => {
  let left = times;
  return {
    ...OLDEST_PASSES,
    'scans.read': ({ scenario: { environment } }, { scanId }) => {
      if (scanId !== environment.service.scans()[0]?.id || left === 0) return undefined;
      left -= 1;
      return unknown;
    },
  };
};
const AFTER_BOTH = { earlier: PASSED_THEN_BLOCKED, at: OLDEST_PASSES, attempt: 3 };
testScans('reuse-completed', AFTER_BOTH, {
  ...rowsFor(
    [
      ['a completed check run', inCheckRun(0, DONE)],
      ['a check run in progress', inCheckRun(0, { status: 'in_progress' })],
      ['the comment of the gate', inComment],
    ],
    ([what, copy]) => [
      `the next run is blocked even if the mark of a passed scan is copied into ${what}`,
      { earlier: [...PASSED_THEN_BLOCKED, copy] },
    ],
  ),
  'a copy of the mark of the newest scan does not change the next result': {
    earlier: [...PASSED_THEN_BLOCKED, inCheckRun(-1, DONE)],
  },
  ...rowsFor([1, 2], (times) => [
    `a run does not use the older scan if the newest scan is gone for a moment (404 answers: ${times})`,
    { at: newestIsGone(times) },
  ]),
  'a run uses the older scan if the newest scan is permanently gone': { at: newestIsGone(Infinity) },
});

/** Check runs whose marks were copied from a run with another token, or invented. */
const strangeMarks: Act = async (jobs) => {
  const { headSha, environment } = jobs.scenario;
  const copied = environment.github.checkRuns[0]?.externalId ?? '';
  const scanId = copied.split(':')[1];
  const zeros = '0'.repeat(64);
  const a = (length: number) => 'A'.repeat(length);
  for (const mark of [
    copied,
    `v2:${scanId}:7:${a(27)}:${a(27)}:${a(22)}:-:1790000000:-:-:-:1.1:${a(43)}`,
    `v1:${scanId}:${zeros}:${zeros}`,
    `v1:..:${zeros}:${zeros}`,
    'v1:::',
    'x'.repeat(10_000),
  ]) {
    await write(jobs, 'POST', 'check-runs', { name: 'Security scan', head_sha: headSha, external_id: mark });
  }
  return undefined;
};
const withOtherToken: Act = async (jobs) => {
  const token = jobs.scenario.environment.service.tokens[1]?.token ?? '';
  return anEarlierRun({ 'api-token': token })(jobs, { point: '', scanId: '', path: '', body: '', ms: 0 });
};
const CLEAN = { ...RERUN, head: 'clean' } as const;
testScans('reuse-completed', CLEAN, {
  'a run ignores marks that were copied, invented, or made with another token': {
    service: { tokens: [{}, {}] },
    earlier: [withOtherToken, strangeMarks],
  },
  'with `reuse-scan: false`, a re-run launches a scan even if it cannot list the check runs': {
    at: { 'check.list': unavailable },
    inputs: OWN,
  },
  'if a re-run may not read check runs, it launches a scan, and warns of paying twice': {
    at: { 'check.list': forbidden },
  },
  'a re-run that gets one 404 for the list of check runs pays for no second scan': {
    at: { 'check.list 1': missing },
  },
  ...rowsFor([2, undefined], (attempt) => [
    `without the list of check runs, a ${attempt ? 're-run' : 'run for an edited title'} launches no scan, and explains what to do`,
    {
      at: { 'check.list': unavailable },
      ...(attempt ? { attempt } : { event: { action: 'edited' }, attempt: 1 }),
    },
  ]),
  ...rowsFor(['reopened', 'ready_for_review'], (action) => [
    `without the list of check runs, a run for the event \`${action}\` launches no scan, and explains what to do`,
    { at: { 'check.list': unavailable }, event: { action }, runId: 9_000_000_070, attempt: 1 },
  ]),
});

/** GitHub refuses what concerns check runs. */
const withoutChecks = (kinds: string): Timeline => ({ [kinds]: forbidden });
testScans('reuse-completed', {
  ...rowsFor(['check.list|check.create', 'check.create'], (kinds) => [
    `without permission for ${kinds}, a re-run launches nothing if it cannot read the comments`,
    {
      earlier: [anEarlierRun({}, withoutChecks(kinds))],
      at: { ...withoutChecks(kinds), 'graphql|comments.list': unavailable },
      attempt: 2,
    },
  ]),
  ...rowsFor(['check.list|check.create', 'check.create'], (kinds) => [
    `without permission for ${kinds}, a re-run finds the scan in the comment`,
    { earlier: [anEarlierRun({}, withoutChecks(kinds))], at: withoutChecks(kinds), attempt: 2 },
  ]),
});
