import { describe, expect, test } from 'vitest';
import { failOnAt } from '../../../src/domain/fail-on.ts';
import type { Finding } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import type { SeverityLevel } from '../../../src/domain/severity.ts';
import { type GatePolicy, judge } from '../../../src/domain/verdict.ts';
import { withDetail } from '../../../src/scan/finding-detail.ts';
import { readFindings, worthReading } from '../../../src/scan/findings.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { readFinding, UNTITLED } from '../../../src/scan-api/wire.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { aScan, invalid, refused, stopped, unreachable } from './fake-api.ts';

const policy: GatePolicy = {
  severityThreshold: 'medium',
  failOn: failOnAt('high'),
  allowUnscanned: [],
  pathsExempt: [],
};

function finding(id: string, severity: SeverityLevel, extra: object = {}): Finding {
  return readFinding({
    id,
    severity: severity.toUpperCase(),
    triageStatus: 'PENDING',
    confirmationEvidence: null,
    path: 'a.ts',
    ...extra,
  });
}

function many(count: number, severity: SeverityLevel, extra: object = {}): Finding[] {
  return Array.from({ length: count }, (_, index) => finding(`${severity}-${index}`, severity, extra));
}

function fakeApi(list: readonly Finding[], detail: (id: string) => Result<Finding, ApiError>) {
  const asked: string[] = [];
  let active = 0;
  let widest = 0;
  return {
    asked,
    widest: () => widest,
    findings: async (): Promise<Result<readonly Finding[], ApiError>> => ok(list),
    finding: async (
      _project: string,
      id: string,
      _options?: { readonly onThrottled?: () => Promise<void> },
    ): Promise<Result<Finding, ApiError>> => {
      asked.push(id);
      active += 1;
      widest = Math.max(widest, active);
      await new Promise((resolve) => setImmediate(resolve));
      active -= 1;
      return detail(id);
    },
  };
}

const described = (id: string) => ok(readFinding({ id, description: `about ${id}` }));
const request = { projectId: 'p', scanId: 's', policy, clock: new FakeClock(), signal: NEVER_ABORTED };

describe('readFindings', () => {
  test('returns all findings, and reads details only of those that may be reported', async () => {
    const list = [...many(9, 'low'), ...many(9, 'high')];
    const api = fakeApi(list, described);
    const read = await readFindings(api, request);
    expect(read).toMatchObject({ ok: true, value: { warnings: [] } });
    expect(read.ok && read.value.findings.map(({ id, description }) => [id, description])).toEqual(
      list.map(({ id, severity }) => [id, severity.level === 'high' ? `about ${id}` : undefined]),
    );
    expect(api.asked).toHaveLength(9);
  });

  test('reads more and more details at a time, beginning with four', async () => {
    const api = fakeApi(many(4, 'high'), described);
    await readFindings(api, request);
    expect(api.widest()).toBe(4);
    const wide = fakeApi(many(200, 'high', { path: undefined }), described);
    await readFindings(wide, request);
    expect(wide.widest()).toBe(32);
  });

  test('reads four details at a time after the service asked to wait', async () => {
    const api = fakeApi(many(200, 'high', { path: undefined }), described);
    const throttled: typeof api.finding = async (project, id, options) => {
      await options?.onThrottled?.();
      return api.finding(project, id);
    };
    await readFindings({ ...api, finding: throttled }, request);
    expect(api.asked).toHaveLength(200);
    expect(api.widest()).toBe(4);
  });

  test('returns an error, never a shorter list, if the list cannot be read', async () => {
    const api = { ...fakeApi([], described), findings: async () => invalid(200, 'wrong-shape') };
    expect(await readFindings(api, request)).toMatchObject({ ok: false, error: { reason: 'service-error' } });
  });

  test('keeps findings whose detail cannot be read, and counts them in one warning', async () => {
    const list = many(4, 'high');
    const read = await readFindings(
      fakeApi(list, (id) => (id === 'high-1' || id === 'high-2' ? refused(404, 'not_found') : described(id))),
      request,
    );
    expect(read.ok && read.value.findings).toHaveLength(4);
    expect(read.ok && read.value.warnings).toEqual([
      expect.stringMatching(/^Could not read the details of 2 findings/),
    ]);
  });

  test.each([
    ['401', refused(401, 'unauthorized')],
    ['429', refused(429, 'rate_limited')],
    ['a lost connection', unreachable('unknown', 'reset')],
    ['our timeout', stopped('timeout')],
  ])('reads no more details after %s, and keeps the list', async (_name, error) => {
    const api = fakeApi(many(40, 'high'), () => error);
    const read = await readFindings(api, request);
    expect(api.asked.length).toBeLessThanOrEqual(4);
    expect(read.ok && read.value.findings).toHaveLength(40);
    expect(read.ok && read.value.warnings).toEqual([expect.stringContaining('40 findings')]);
  });

  test('stops reading details after many malformed answers', async () => {
    const api = fakeApi(many(50, 'high'), () => invalid(200, 'wrong-shape'));
    await readFindings(api, request);
    expect(api.asked.length).toBeLessThan(15);
  });

  test('waits at most half a minute for details without an answer', async () => {
    const ends: (() => void)[] = [];
    const deadline = new AbortController();
    const clock = Object.assign(new FakeClock(), {
      timeout: (ms: number) => {
        expect(ms).toBe(30_000);
        return { signal: deadline.signal, clear: () => ends.push(() => {}) };
      },
    });
    const api = fakeApi(many(50, 'high'), () => stopped('signal'));
    const silent = {
      ...api,
      finding: async (project: string, id: string, { signal }: { readonly signal: AbortSignal }) => {
        deadline.abort();
        expect(signal.aborted).toBe(true);
        return api.finding(project, id);
      },
    };
    const read = await readFindings(silent, { ...request, clock });
    expect(read).toMatchObject({
      ok: true,
      value: { warnings: [expect.stringContaining('the details of 50 findings')] },
    });
    expect(read.ok && read.value.warnings[0]).toContain('did not answer within 30 seconds');
    expect(api.asked.length).toBeLessThanOrEqual(4);
    expect(ends).toHaveLength(1);
  });

  test('returns no result if a signal arrives in the meantime', async () => {
    const read = await readFindings(
      fakeApi(many(4, 'high'), () => stopped('signal')),
      request,
    );
    expect(read).toMatchObject({ ok: false, error: { reason: 'scan-cancelled', bySignal: true } });
    const api = { ...fakeApi([], described), findings: async () => err(stopped('timeout').error) };
    expect(await readFindings(api, request)).toMatchObject({ ok: false, error: { reason: 'timeout' } });
  });
});

describe('a finding whose only listed file is exempt', () => {
  const exempting = { ...request, policy: { ...policy, pathsExempt: readPathPatterns('test/**').patterns } };
  const blocking = async (
    detail: (id: string) => Result<Finding, ApiError>,
    listed = finding('f', 'high', { path: 'test/a.ts' }),
  ) => {
    const read = await readFindings(fakeApi([listed], detail), exempting);
    if (!read.ok) throw new Error('the findings were not read');
    const outcome = { kind: 'completed', scan: aScan('COMPLETED'), findings: read.value.findings } as const;
    return judge(outcome, exempting.policy).findings.blocking.length;
  };

  test('exempts the finding if its detail names no other file', async () => {
    expect(await blocking((id) => ok(readFinding({ id, path: 'test/a.ts' })))).toBe(0);
    expect(await blocking(described)).toBe(0);
  });

  test('lets the finding block if its detail names another file', async () => {
    const places = [{ path: 'test/a.ts' }, { path: 'src/a.ts' }];
    expect(await blocking((id) => ok(readFinding({ id, locations: places })))).toBe(1);
  });

  test('lets the finding block if its detail cannot be read', async () => {
    expect(await blocking(() => refused(500, 'internal_error'))).toBe(1);
    expect(await blocking(described, finding('..', 'high', { path: 'test/a.ts' }))).toBe(1);
  });
});

describe('worthReading', () => {
  const count = (findings: readonly Finding[], changed: Partial<GatePolicy> = {}) =>
    worthReading(findings, { ...policy, ...changed }).length;

  test('selects the 50 worst findings', () => {
    const findings = [...many(40, 'medium'), ...many(30, 'critical')];
    const wanted = worthReading(findings, policy);
    expect(wanted).toHaveLength(50);
    expect(wanted.filter(({ severity }) => severity.level === 'critical')).toHaveLength(30);
  });

  test('selects up to 200 findings if the list shows no location', () => {
    expect(count(many(300, 'high', { path: undefined }))).toBe(200);
  });

  test('selects all findings if the gate needs evidence that the list does not show', () => {
    const silent = many(300, 'high', { triageStatus: undefined });
    expect(count(silent)).toBe(50);
    expect(count(silent, { failOn: failOnAt('high', 'confirmed') })).toBe(300);
    const unproven = many(300, 'high', { triageStatus: 'CONFIRMED', confirmationEvidence: undefined });
    expect(count(unproven, { failOn: failOnAt('high', 'confirmed') })).toBe(50);
    expect(count(unproven, { failOn: failOnAt('high', 'poc') })).toBe(300);
    expect(count(many(300, 'high'), { failOn: failOnAt('high', 'poc') })).toBe(50);
  });

  test('selects all findings if `paths-exempt` is set and the list does not show the file', () => {
    const pathsExempt = readPathPatterns('test/**').patterns;
    const hidden = many(300, 'high', { path: undefined });
    expect(count(hidden, { pathsExempt })).toBe(300);
    expect(count(many(300, 'medium', { path: undefined }), { pathsExempt })).toBe(200);
    expect(count(many(300, 'high'), { pathsExempt })).toBe(50);
    expect(count(many(300, 'high', { path: 'test/a.ts' }), { pathsExempt })).toBe(300);
    expect(count(many(300, 'medium', { path: 'test/a.ts' }), { pathsExempt })).toBe(0);
  });

  test('selects no triaged finding, and none without a usable id', () => {
    expect(
      count([finding('a', 'critical', { resolutionStatus: 'FALSE_POSITIVE' }), finding('..', 'critical')]),
    ).toBe(0);
  });
});

describe('withDetail', () => {
  test('adds what the list leaves out, and keeps what it shows', () => {
    const listed = readFinding({
      id: 'f',
      severity: 'HIGH',
      path: 'a.ts',
      triageStatus: 'CONFIRMED',
      description: 'cut…',
    });
    const detail = readFinding({
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
    });
    expect(withDetail(listed, detail)).toMatchObject({
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

  test('removes nothing if the detail shows nothing', () => {
    const listed = finding('f', 'high', {
      title: 'T',
      line: 3,
      resolutionStatus: 'NOT_STARTED',
      poc: 'p',
      url: 'u',
    });
    expect(withDetail(listed, readFinding({}))).toEqual(listed);
    expect(withDetail(finding('f', 'high'), readFinding({})).title).toBe(UNTITLED);
  });

  test('takes the severity from the detail if the list does not show it', () => {
    const detail = readFinding({ id: 'f', severity: 'LOW' });
    expect(withDetail(readFinding({ id: 'f' }), detail).severity.level).toBe('low');
    expect(withDetail(readFinding({ id: 'f', severity: 'SEVERE' }), detail).severity.level).toBe('unknown');
  });
});

test('takes the files from the list and from the detail', () => {
  const files = (list: Readonly<Record<string, unknown>>, detail: Readonly<Record<string, unknown>>) => {
    const { location, otherPaths } = withDetail(readFinding(list), readFinding(detail));
    return [location?.path, ...(otherPaths ?? [])];
  };
  expect(files({ path: 'a', line: 1 }, { path: 'a' })).toEqual(['a']);
  expect(files({ path: 'a' }, { path: 'b', line: 1 })).toEqual(['b', 'a']);
  expect(files({ path: 'a', line: 1 }, { path: 'b' })).toEqual(['a', 'b']);
  expect(files({}, { locations: [{ path: 'a' }, { path: 'b' }] })).toEqual(['a', 'b']);
  expect(files({ path: 'a', file: 'c' }, { locations: [{ path: 'a' }, {}] })).toEqual(['a', 'c', '']);
});
