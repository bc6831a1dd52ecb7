import { describe, expect, test } from 'vitest';
import { type Finding, pathsOf, type SeverityLevel, UNTITLED } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { ok, type Result } from '../../../src/domain/result.ts';
import { failOnAt, type GatePolicy, judge } from '../../../src/domain/verdict.ts';
import { readFindings, withDetail, worthReading } from '../../../src/scan/findings.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { readFinding } from '../../../src/scan-api/wire.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { aScan, invalid, refused, stopped, unreachable } from './fake-api.ts';

type Fields = Readonly<Record<string, unknown>>;

const both = (list: Fields, detail: Fields) => withDetail(readFinding(list), readFinding(detail));

test('withDetail prefers the texts of the detail to the texts of the list entry', () => {
  const listed = { id: 'f', severity: 'HIGH', path: 'a.ts', triageStatus: 'CONFIRMED', description: 'cut…' };
  const detail = {
    id: 'f',
    severity: 'LOW',
    triageStatus: 'PENDING',
    confirmationEvidence: 'ANALYSIS',
    resolutionStatus: 'IN_PROGRESS',
    title: 'Title',
    path: 'a.ts',
    line: 7,
    description: 'whole',
    recommendedFix: 'fix',
    cwe: 'CWE-78',
  };
  expect(both(listed, detail)).toMatchObject({
    severity: { level: 'high' },
    triage: { word: 'CONFIRMED' },
    evidence: 'ANALYSIS',
    resolution: 'IN_PROGRESS',
    title: 'Title',
    location: { path: 'a.ts', startLine: 7 },
    description: 'whole',
    recommendedFix: 'fix',
    cwe: 78,
  });
});

test('withDetail takes every member that only the detail shows', () => {
  const shown: Required<Omit<Finding, 'detailsUnread' | 'id' | 'label'>> = {
    severity: readFinding({ severity: 'LOW' }).severity,
    triage: readFinding({ triageStatus: 'CONFIRMED' }).triage,
    evidence: 'POC',
    resolution: 'NOT_STARTED',
    title: 'Title',
    cwe: 78,
    location: { path: 'a.ts', startLine: 7, endLine: 8 },
    otherPaths: ['b.ts'],
    url: 'https://scan.example/f',
    description: 'description',
    recommendedFix: 'fix',
    proofOfConcept: 'proof',
  };
  expect(withDetail(readFinding({ id: 'f' }), { ...readFinding({ id: 'f' }), ...shown })).toMatchObject(
    shown,
  );
});

test.each<[string, Fields]>([
  [
    'with all its members',
    {
      title: 'T',
      path: 'a.ts',
      line: 3,
      triageStatus: 'PENDING',
      confirmationEvidence: null,
      resolutionStatus: 'NOT_STARTED',
      poc: 'p',
      url: 'u',
    },
  ],
  ['without a title', { path: 'a.ts' }],
])('an empty detail removes nothing from a finding that is listed %s', (_what, listed) => {
  expect(both(listed, {})).toEqual(readFinding(listed));
  expect(both(listed, {}).title).toBe(listed['title'] ?? UNTITLED);
});

test.each<[what: string, level: Finding['severity']['level'], listed: Fields]>([
  ['no severity', 'low', {}],
  ['SEVERE', 'unknown', { severity: 'SEVERE' }],
  ['HIGH', 'high', { severity: 'HIGH' }],
])('if the list shows %s, and the detail shows LOW, the severity is %s', (_what, level, listed) => {
  expect(both(listed, { severity: 'LOW' }).severity.level).toBe(level);
});

test.each<[listed: Fields, detail: Fields, files: string[]]>([
  [{ path: 'a', line: 1 }, { path: 'a' }, ['a']],
  [{ path: 'a' }, { path: 'b', line: 1 }, ['b', 'a']],
  [{ path: 'a', line: 1 }, { path: 'b' }, ['a', 'b']],
  [{}, { locations: [{ path: 'a' }, { path: 'b' }] }, ['a', 'b']],
  [{ path: 'a', file: 'c' }, { locations: [{ path: 'a' }, {}] }, ['a', 'c', '']],
])('withDetail combines the files of the list entry %j and the detail %j', (listed, detail, files) => {
  const { location, otherPaths } = both(listed, detail);
  expect([location?.path, ...(otherPaths ?? [])]).toEqual(files);
  expect(new Set(pathsOf(both(listed, detail)))).toEqual(new Set(files));
});

type Read<T> = Result<T, ApiError>;

const POLICY: GatePolicy = {
  severityThreshold: 'medium',
  failOn: failOnAt('high'),
  allowUnscanned: [],
  pathsExempt: [],
};
const pathsExempt = readPathPatterns('test/**').patterns;

function finding(id: string, severity: SeverityLevel, extra: object = {}): Finding {
  const shown = { triageStatus: 'PENDING', confirmationEvidence: null, path: 'a.ts', ...extra };
  return readFinding({ id, severity: severity.toUpperCase(), ...shown });
}
const many = (count: number, severity: SeverityLevel, extra: object = {}) =>
  Array.from({ length: count }, (_, index) => finding(`${severity}-${index}`, severity, extra));
const TEXTS = { description: 'why', recommendedFix: 'how' };
const described = (id: string) => ok(readFinding({ id, description: `about ${id}` }));

interface Reading {
  readonly list: Read<readonly Finding[]>;
  /** Returns the answer to a request for the detail of the finding with this id. */
  readonly detail?: (id: string) => Read<Finding>;
  readonly policy?: GatePolicy;
  /** If true, a rate limit delays each request for a detail. */
  readonly throttled?: boolean;
  /** If true, the time for reading details ends at the first request for a detail. */
  readonly late?: boolean;
}

async function read({ list, detail = described, policy = POLICY, throttled = false, late = false }: Reading) {
  const deadline = new AbortController();
  const deadlines: (number | 'cleared')[] = [];
  const clock = Object.assign(new FakeClock(), {
    timeout: (ms: number) => {
      deadlines.push(ms);
      return { signal: deadline.signal, clear: () => deadlines.push('cleared') };
    },
  });
  const asked: string[] = [];
  let active = 0;
  let widest = 0;
  const api: Parameters<typeof readFindings>[0] = {
    findings: async (_project, _scan, { signal }) => {
      expect(signal).toBe(NEVER_ABORTED);
      return list;
    },
    finding: async (_project, id, { signal, onThrottled }) => {
      if (throttled) await onThrottled?.();
      if (late) deadline.abort();
      expect(signal?.aborted).toBe(late);
      asked.push(id);
      active += 1;
      widest = Math.max(widest, active);
      await new Promise((resolve) => setImmediate(resolve));
      active -= 1;
      return detail(id);
    },
  };
  const request = { projectId: 'p', scanId: 's', policy, clock, signal: NEVER_ABORTED };
  return { result: await readFindings(api, request), asked, widest, deadlines };
}

describe('readFindings', () => {
  test('readFindings reads details only of findings that may be reported', async () => {
    const list = [...many(9, 'low'), ...many(9, 'high')];
    const { result, asked } = await read({ list: ok(list) });
    expect(result).toMatchObject({ ok: true, value: { warnings: [] } });
    expect(result.ok && result.value.findings.map(({ id, description }) => [id, description])).toEqual(
      list.map(({ id, severity }) => [id, severity.level === 'high' ? `about ${id}` : undefined]),
    );
    expect(asked).toHaveLength(9);
  });

  test.each([
    ['starts with four details at a time', 4, false, 4],
    ['reads more and more details at a time', 200, false, 32],
    ['reads four details at a time if the service asks to wait', 200, true, 4],
  ])('readFindings %s', async (_what, count, throttled, width) => {
    const { widest, asked } = await read({ list: ok(many(count, 'high', { path: undefined })), throttled });
    expect([widest, asked.length]).toEqual([width, count]);
  });

  test.each<[string, Read<readonly Finding[]>, object]>([
    ['is invalid', invalid(200, 'wrong-shape'), { reason: 'service-error' }],
    [
      'is not found',
      refused(404, 'not_found', { operation: 'list the findings' }),
      { reason: 'service-error', cause: expect.stringContaining('no longer finds the scan') },
    ],
    [
      'is not read before the time limit',
      stopped('timeout'),
      { reason: 'timeout', cause: expect.stringContaining('before it had read all findings') },
    ],
  ])('readFindings returns an error if the list %s', async (_what, list, error) => {
    expect((await read({ list })).result).toMatchObject({ ok: false, error });
  });

  test('readFindings returns an error if a signal arrives while details are read', async () => {
    const { result } = await read({ list: ok(many(4, 'high')), detail: () => stopped('signal') });
    expect(result).toMatchObject({ ok: false, error: { reason: 'scan-cancelled', bySignal: true } });
  });

  test.each<[string, number, Read<Finding>, (asked: number) => boolean]>([
    [
      'the details of all nine findings even if each answer is a 404',
      9,
      refused(404, 'not_found'),
      (n) => n === 9,
    ],
    ['few details if each is malformed', 50, invalid(200, 'wrong-shape'), (n) => n >= 10 && n < 15],
    ['four details if the token is rejected', 40, refused(401, 'unauthorized'), (n) => n <= 4],
    ['four details if the rate limit lasts', 40, refused(429, 'rate_limited'), (n) => n <= 4],
    ['four details if the connection is lost', 40, unreachable('unknown', 'reset'), (n) => n <= 4],
    ['four details if the time limit ends', 40, stopped('timeout'), (n) => n <= 4],
  ])('readFindings requests %s', async (_what, count, answer, isRight) => {
    const { result, asked } = await read({ list: ok(many(count, 'high')), detail: () => answer });
    expect(asked.length).toSatisfy(isRight);
    expect(result).toMatchObject({
      ok: true,
      value: { warnings: [expect.stringContaining(`Could not read the details of ${count} findings.`)] },
    });
    expect(result.ok && result.value.findings).toHaveLength(count);
  });

  test('readFindings warns with the number of findings whose details could not be read', async () => {
    const detail = (id: string) => (id === 'high-1' ? refused(404, 'not_found') : described(id));
    const { result, deadlines } = await read({ list: ok(many(4, 'high')), detail });
    expect(result).toMatchObject({
      value: { warnings: [expect.stringMatching(/^Could not read the details of 1 finding\. /)] },
    });
    expect(deadlines).toEqual([30_000, 'cleared']);
  });

  test.each<[number, string, string]>([
    [401, 'unauthorized', 'Ask a project admin of the service for a new token'],
    [403, 'forbidden', 'Ask a project admin of the service for a token with the `read` scope'],
    [404, 'not_found', 'Re-run this job later.'],
    [500, 'internal', 'Re-run this job later.'],
  ])(
    'the warning about details after a %s ends in the next step of this error',
    async (status, code, step) => {
      const detail = () => refused(status, code, { operation: 'read a finding' });
      const { result } = await read({ list: ok(many(1, 'high')), detail });
      const [warning] = result.ok ? result.value.warnings : [];
      expect(warning).toContain(`. ${step}`);
      expect(warning).not.toMatch(/to read them|`project-id`/);
    },
  );

  test.each<[string, Finding[], number]>([
    ['one of 51 findings', many(51, 'high'), 1],
    ['no finding whose texts the list shows', many(60, 'high', TEXTS), 0],
    ['findings of which the list shows only the description', many(60, 'high', { description: 'why' }), 10],
    [
      'findings whose proof of concept the list does not show',
      many(60, 'high', { ...TEXTS, confirmationEvidence: 'POC' }),
      10,
    ],
    ['no finding below the threshold', many(60, 'low'), 0],
    ['a finding without a usable id', [finding('..', 'high')], 1],
    ['a finding in an exempt file without a usable id', [finding('..', 'high', { path: 'test/a.ts' })], 1],
  ])('readFindings marks as unread %s', async (_what, list, unread) => {
    const { result } = await read({ list: ok(list), policy: { ...POLICY, pathsExempt } });
    const findings = result.ok ? result.value.findings : expect.unreachable();
    expect(findings.filter(({ detailsUnread }) => detailsUnread)).toHaveLength(unread);
    expect(result).toMatchObject({ value: { warnings: [] } });
  });

  test('readFindings warns of details that could not be read, and does not mark them as unread', async () => {
    const { result } = await read({ list: ok(many(4, 'high')), detail: () => refused(404, 'not_found') });
    expect(result).toMatchObject({ value: { warnings: [expect.any(String)] } });
    expect(result.ok && result.value.findings.some(({ detailsUnread }) => detailsUnread)).toBe(false);
  });

  test('readFindings waits at most half a minute for the details', async () => {
    const list = ok(many(50, 'high'));
    const { result, asked } = await read({ list, detail: () => stopped('signal'), late: true });
    expect(result).toMatchObject({
      ok: true,
      value: {
        warnings: [
          expect.stringMatching(
            /the details of 50 findings\. .* did not answer within 30 seconds\. Re-run this job to read them\.$/,
          ),
        ],
      },
    });
    expect(asked.length).toBeLessThanOrEqual(4);
  });
});

const exempt = (id: string) => finding(id, 'high', { path: 'test/a.ts' });
const locations = [{ path: 'test/a.ts' }, { path: 'src/a.ts' }];

test.each<[string, Finding, (id: string) => Read<Finding>, number]>([
  ['is exempt if its detail shows no file', exempt('f'), described, 0],
  [
    'is exempt if its detail shows the same file',
    exempt('f'),
    (id) => ok(readFinding({ id, path: 'test/a.ts' })),
    0,
  ],
  ['blocks if its detail shows another file', exempt('f'), (id) => ok(readFinding({ id, locations })), 1],
  ['blocks if its detail cannot be read', exempt('f'), () => refused(500, 'internal'), 1],
  ['blocks if it has no usable id', exempt('..'), described, 1],
])('a finding in an exempt file %s', async (_title, listed, detail, blocking) => {
  const policy = { ...POLICY, pathsExempt };
  const { result } = await read({ list: ok([listed]), detail, policy });
  const findings = result.ok ? result.value.findings : expect.unreachable();
  const outcome = { kind: 'completed', scan: aScan('COMPLETED'), findings } as const;
  expect(judge(outcome, policy).findings.blocking).toHaveLength(blocking);
});

const silent = { triageStatus: undefined };
const unproven = { triageStatus: 'CONFIRMED', confirmationEvidence: undefined };
const hidden = { path: undefined };
const inTests = { path: 'test/a.ts' };

test.each<[string, Finding[], Partial<GatePolicy>, number]>([
  ['the 50 worst findings', many(300, 'high'), {}, 50],
  ['200 findings if the list shows no location', many(300, 'high', hidden), {}, 200],
  ['50 findings if the gate does not need the missing triage status', many(300, 'high', silent), {}, 50],
  [
    'all findings if the gate needs the missing triage status',
    many(300, 'high', silent),
    { failOn: failOnAt('high', 'confirmed') },
    300,
  ],
  [
    '50 findings if the gate needs only the triage status',
    many(300, 'high', unproven),
    { failOn: failOnAt('high', 'confirmed') },
    50,
  ],
  [
    'all findings if the gate needs the missing evidence',
    many(300, 'high', unproven),
    { failOn: failOnAt('high', 'poc') },
    300,
  ],
  [
    '50 findings if the gate needs evidence, and no finding is confirmed',
    many(300, 'high'),
    { failOn: failOnAt('high', 'poc') },
    50,
  ],
  [
    'all findings that may block if `paths-exempt` is set, and the list shows no file',
    many(300, 'high', hidden),
    { pathsExempt },
    300,
  ],
  [
    '200 findings that cannot block if `paths-exempt` is set, and the list shows no file',
    many(300, 'medium', hidden),
    { pathsExempt },
    200,
  ],
  ['50 findings if their file is not exempt', many(300, 'high'), { pathsExempt }, 50],
  ['all findings that may block and are in an exempt file', many(300, 'high', inTests), { pathsExempt }, 300],
  [
    '0 findings if they are in an exempt file and cannot block',
    many(300, 'medium', inTests),
    { pathsExempt },
    0,
  ],
  [
    '0 findings if the only finding is triaged',
    [finding('a', 'critical', { resolutionStatus: 'FALSE_POSITIVE' })],
    {},
    0,
  ],
  ['0 findings if the only finding has an unusable id', [finding('..', 'critical')], {}, 0],
])('worthReading selects the details of %s', (_what, findings, changes, count) => {
  expect(worthReading(findings, { ...POLICY, ...changes })).toHaveLength(count);
});

test('worthReading selects the details of the worst findings first', () => {
  const wanted = worthReading([...many(40, 'medium'), ...many(30, 'critical')], POLICY);
  expect(wanted.map(({ severity }) => severity.level)).toEqual([
    ...Array(30).fill('critical'),
    ...Array(20).fill('medium'),
  ]);
});
