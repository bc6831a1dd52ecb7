import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEVERITY_LEVELS, severityRank } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { REASONS } from '../../../src/domain/result.ts';
import {
  contradiction,
  EVIDENCE_LEVELS,
  FAIL_ON_NONE,
  type FailOn,
  failOnAt,
  type GatePolicy,
  judge,
  mayBeReported,
  neverAllowClosed,
  normalRules,
  type ScanOutcome,
} from '../../../src/domain/verdict.ts';
import { aScan } from '../scan/fake-api.ts';
import { finding } from './sample-finding.ts';

test('normalRules puts the worst severity first, and drops redundant rules', () => {
  const rules = [
    { severity: 'low', evidence: 'poc' },
    { severity: 'critical', evidence: 'any' },
    { severity: 'medium', evidence: 'poc' },
    { severity: 'high', evidence: 'any' },
  ] as const;
  expect(normalRules(rules)).toEqual([rules[3], rules[0]]);
  expect(contradiction(rules)).toBeUndefined();
  expect(contradiction([])).toBeUndefined();
});

test('`contradiction` returns two rules if a high finding needs more evidence than a medium one', () => {
  const rules = [
    { severity: 'medium', evidence: 'any' },
    { severity: 'critical', evidence: 'any' },
    { severity: 'high', evidence: 'poc' },
  ] as const;
  expect(contradiction(rules)).toEqual({ worse: rules[2], milder: rules[0] });
});

const POLICY: GatePolicy = {
  severityThreshold: 'medium',
  failOn: failOnAt('high'),
  allowUnscanned: [],
  pathsExempt: [],
};

const SCAN = aScan('COMPLETED');

const NO_FINDINGS = {
  reported: [],
  blocking: [],
  below: [],
  exempt: [],
  exemptAtGate: [],
  triaged: [],
  withoutEvidence: [],
  total: 0,
  counts: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 },
  highest: undefined,
};

const at = (path: string) => ({ path, startLine: 1, endLine: 1 });
const patterns = (...lines: string[]) => readPathPatterns(lines.join('\n')).patterns;

function completed(...findings: ReturnType<typeof finding>[]): ScanOutcome {
  return { kind: 'completed', scan: SCAN, findings };
}

function stopped(reason: (typeof REASONS)[number], bySignal = false): ScanOutcome {
  return { kind: 'not-scanned', failure: { reason, cause: 'c', nextStep: 'n', bySignal } };
}

describe('the verdict on a scan', () => {
  test('a completed scan without findings passes with success', () => {
    expect(judge(completed(), POLICY)).toMatchObject({
      outcome: 'passed',
      failure: undefined,
      allowed: false,
      exitCode: 0,
      conclusion: 'success',
    });
  });

  test('a finding of the severity in `fail-on` blocks', () => {
    const verdict = judge(completed(finding({ severity: 'HIGH' })), POLICY);
    expect(verdict).toMatchObject({ outcome: 'blocked', exitCode: 1, conclusion: 'failure' });
    expect(verdict.findings.blocking).toHaveLength(1);
  });

  test('a completed scan with reported findings below `fail-on` passes as neutral', () => {
    const verdict = judge(completed(finding({ severity: 'MEDIUM' })), POLICY);
    expect(verdict).toMatchObject({ outcome: 'passed', exitCode: 0, conclusion: 'neutral' });
  });

  test('a finding below `fail-on` never blocks, whatever its evidence', () => {
    const proven = finding({ severity: 'MEDIUM', triage: 'CONFIRMED', evidence: 'POC' });
    const pending = finding({ severity: 'MEDIUM' });
    for (const evidence of EVIDENCE_LEVELS) {
      const verdict = judge(completed(proven, pending), { ...POLICY, failOn: failOnAt('high', evidence) });
      expect(verdict).toMatchObject({
        outcome: 'passed',
        findings: { blocking: [], withoutEvidence: [], reported: [{}, {}] },
      });
    }
  });

  test('a completed scan passes with success if all findings are below the threshold', () => {
    const verdict = judge(completed(finding({ severity: 'LOW' })), POLICY);
    expect(verdict).toMatchObject({
      outcome: 'passed',
      conclusion: 'success',
      findings: { total: 1, highest: 'LOW' },
    });
    expect(verdict.findings.below).toHaveLength(1);
  });

  test('a finding of unknown severity blocks, whatever severity `fail-on` names', () => {
    for (const failOn of SEVERITY_LEVELS.map((level) => failOnAt(level))) {
      expect(judge(completed(finding({ severity: 'SEVERE' })), { ...POLICY, failOn }).outcome).toBe(
        'blocked',
      );
    }
  });

  test('with `fail-on: none`, no finding blocks', () => {
    for (const severity of ['CRITICAL', 'SEVERE']) {
      const verdict = judge(completed(finding({ severity })), { ...POLICY, failOn: FAIL_ON_NONE });
      expect(verdict).toMatchObject({ outcome: 'passed', exitCode: 0, conclusion: 'neutral' });
    }
  });

  test('a blocking finding is reported even if it is below the threshold', () => {
    const policy: GatePolicy = { ...POLICY, severityThreshold: 'critical', failOn: failOnAt('low') };
    const verdict = judge(completed(finding({ severity: 'LOW' })), policy);
    expect(verdict.outcome).toBe('blocked');
    expect(verdict.findings.reported).toHaveLength(1);
  });

  test.each(['WONT_FIX', 'MITIGATED', 'FALSE_POSITIVE', 'DUPLICATE'])(
    'a finding with the resolution %s does not block',
    (resolution) => {
      const verdict = judge(completed(finding({ severity: 'CRITICAL', resolution })), POLICY);
      expect(verdict).toMatchObject({ outcome: 'passed', findings: { total: 1, highest: undefined } });
      expect(verdict.findings.triaged).toHaveLength(1);
      expect(verdict.findings.counts['CRITICAL']).toBe(0);
    },
  );

  // `RESOLVED` blocks, too: the scan of this commit reports the finding, so the commit does not contain the fix.
  test.each(['RESOLVED', 'NOT_STARTED', 'IN_PROGRESS', 'ACCEPTED_SOMEHOW', undefined])(
    'a finding with this resolution blocks: %s',
    (resolution) => {
      expect(judge(completed(finding({ resolution })), POLICY).outcome).toBe('blocked');
    },
  );

  test.each([
    ['any', 'PENDING', null, true],
    ['confirmed', 'CONFIRMED', 'ANALYSIS', true],
    ['confirmed', 'PENDING', null, false],
    ['confirmed', 'REJECTED', null, false],
    ['poc', 'PENDING', undefined, false],
    ['poc', 'PENDING', 'POC', false],
    ['poc', 'CONFIRMED', 'POC', true],
    ['poc', 'CONFIRMED', 'ANALYSIS', false],
    // There may be evidence behind an unknown or missing value, so the finding blocks.
    ['confirmed', 'LIKELY', null, true],
    ['poc', 'LIKELY', 'ANALYSIS', true],
    ['confirmed', undefined, undefined, true],
    ['poc', undefined, null, true],
    ['confirmed', 'CONFIRMED', null, true],
    ['poc', 'CONFIRMED', null, true],
    ['poc', 'CONFIRMED', undefined, true],
    ['poc', 'CONFIRMED', 'FUZZED', true],
  ] as const)(
    'the evidence of a finding decides whether it blocks (`fail-on-evidence`: %s, triage: %s, evidence: %s, blocks: %s)',
    (failOnEvidence, triage, evidence, blocks) => {
      const verdict = judge(completed(finding({ triage, evidence })), {
        ...POLICY,
        failOn: failOnAt('high', failOnEvidence),
      });
      expect(verdict.outcome).toBe(blocks ? 'blocked' : 'passed');
      expect(verdict.findings.withoutEvidence).toHaveLength(blocks ? 0 : 1);
    },
  );

  test.each(['RUNNING', 'FAILED', 'CANCELLED'])('`judge` throws an error for a scan that is %s', (status) => {
    expect(() => judge({ kind: 'completed', scan: { ...SCAN, status }, findings: [] }, POLICY)).toThrow(
      'a scan that is not COMPLETED',
    );
  });
});

describe('paths-exempt', () => {
  const exempting = (...lines: string[]): GatePolicy => ({ ...POLICY, pathsExempt: patterns(...lines) });
  const judged = (
    members: Parameters<typeof finding>[0],
    policy: GatePolicy = exempting('docs/**', '!docs/api/**'),
  ) => judge(completed(finding(members)), policy);

  test('a finding in exempt paths never blocks, and is listed separately', () => {
    const verdict = judged({ severity: 'CRITICAL', location: at('docs/a.md') });
    expect(verdict).toMatchObject({ outcome: 'passed', exitCode: 0, conclusion: 'success' });
    expect(verdict.findings).toMatchObject({
      reported: [],
      blocking: [],
      below: [],
      triaged: [],
      exempt: [{ label: 'ZK-00000001' }],
      exemptAtGate: [{ label: 'ZK-00000001' }],
      total: 1,
      counts: { CRITICAL: 1 },
      highest: 'CRITICAL',
    });
  });

  test.each([
    ['without a location', undefined, []],
    ['outside the exempt folder', at('src/a.ts'), []],
    ['in a file that a later pattern excludes', at('docs/api/a.ts'), []],
    ['with an absolute path', at('/docs/a.md'), []],
    ['with `..` in its path', at('docs/../src/a.ts'), []],
    ['with `..` at the end of its path', at('docs/..'), []],
    ['with `./` at the start of its path', at('./docs/a.md'), []],
    ['with `/./` in its path', at('docs/./a.md'), []],
    ['with an empty name in its path', at('docs//a.md'), []],
    ['with `\\` in its path', at('docs/..\\src\\a.ts'), []],
    ['with a drive in its path', at('C:/docs/a.md'), []],
    ['with the path of a folder', at('docs/'), []],
    ['with an empty path', at(''), []],
    ['with a line feed in its path', at('docs/a\nb'), []],
    ['with an invisible character in its path', at('docs/\u202ea'), []],
    ['in a folder whose letter case is different', at('Docs/a.md'), []],
    ['with a path that is too long', at(`docs/${'a'.repeat(4_096)}`), []],
    ['of several files, one outside the exempt folder', at('docs/a.md'), ['docs/b.md', 'src/a.ts']],
    ['of several files, one without a shown path', at('docs/a.md'), ['']],
    ['of several files, one with `..`', at('docs/a.md'), ['docs/../src/a.ts']],
    ['of a file outside the exempt folder, and of a file in it', at('src/a.ts'), ['docs/a.md']],
  ])('`paths-exempt` does not exempt a finding %s', (_what, location, otherPaths) => {
    const { outcome, findings } = judged({ location, otherPaths });
    expect(outcome).toBe('blocked');
    expect(findings.exempt).toEqual([]);
  });

  test('a finding of several files is exempt if `paths-exempt` matches all the files', () => {
    expect(judged({ location: at('docs/a.md'), otherPaths: ['docs/b.md'] }).outcome).toBe('passed');
  });

  test('a finding without a location blocks, even if all its paths are exempt', () => {
    expect(judged({ location: undefined, otherPaths: ['docs/a.md'] }).outcome).toBe('blocked');
  });

  test('an empty list of exempt paths exempts nothing', () => {
    expect(judged({ location: at('docs/a.md') }, exempting()).outcome).toBe('blocked');
  });

  test('a finding of an unknown severity can be exempt', () => {
    const { outcome, findings } = judged({ severity: 'SEVERE', location: at('docs/a.md') });
    expect([outcome, findings.exemptAtGate.length]).toEqual(['passed', 1]);
  });

  test('exempt findings at or above `fail-on` are counted, whatever their evidence', () => {
    const there = (severity: string) => finding({ severity, location: at('docs/a.md') });
    const findings = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'].map(there);
    const groups = (failOn: FailOn) =>
      judge(completed(...findings), { ...exempting('docs/**'), failOn }).findings;
    expect(groups(failOnAt('high', 'poc'))).toMatchObject({
      exempt: [{}, {}, {}, {}],
      exemptAtGate: [{}, {}],
      withoutEvidence: [],
    });
    expect(groups(failOnAt('medium')).exemptAtGate).toHaveLength(3);
    expect(groups(FAIL_ON_NONE)).toMatchObject({ exempt: [{}, {}, {}, {}], exemptAtGate: [] });
  });

  test('a triaged finding in exempt paths is listed as triaged', () => {
    const { findings } = judged({ location: at('docs/a.md'), resolution: 'MITIGATED' });
    expect([findings.triaged.length, findings.exempt.length]).toEqual([1, 0]);
  });

  test('mayBeReported returns false for an exempt finding', () => {
    const policy = exempting('docs/**');
    expect(mayBeReported(finding({ location: at('docs/a.md') }), policy)).toBe(false);
    expect(mayBeReported(finding({ location: at('docs/a.md'), severity: 'MEDIUM' }), policy)).toBe(false);
    expect(mayBeReported(finding({ location: at('src/a.md'), severity: 'MEDIUM' }), policy)).toBe(true);
  });
});

describe('a run without a completed scan', () => {
  test('a run passes if there is no change to scan', () => {
    expect(judge({ kind: 'unchanged' }, { ...POLICY, allowUnscanned: [...REASONS] })).toEqual({
      outcome: 'unchanged',
      failure: undefined,
      allowed: false,
      exitCode: 0,
      conclusion: 'success',
      findings: NO_FINDINGS,
    });
  });

  test('the verdict on a change that was not scanned contains the reason', () => {
    const outcome = stopped('timeout');
    expect(judge(outcome, POLICY)).toEqual({
      outcome: 'not-scanned',
      failure: { reason: 'timeout', cause: 'c', nextStep: 'n', bySignal: false },
      allowed: false,
      exitCode: 1,
      conclusion: 'failure',
      findings: NO_FINDINGS,
    });
  });

  test('a run passes for the reason `paths`, even if `allow-unscanned` does not contain it', () => {
    expect(judge(stopped('paths'), POLICY)).toMatchObject({
      outcome: 'not-scanned',
      exitCode: 0,
      conclusion: 'neutral',
      allowed: true,
    });
    expect(judge(stopped('paths', true), POLICY)).toMatchObject({ exitCode: 1, conclusion: 'failure' });
  });

  test.each(REASONS.filter((reason) => reason !== 'paths'))(
    'a run fails for the reason %s unless `allow-unscanned` contains it',
    (reason) => {
      expect(judge(stopped(reason), POLICY)).toMatchObject({
        exitCode: 1,
        conclusion: 'failure',
        allowed: false,
      });
    },
  );

  test.each(REASONS.filter((reason) => reason !== 'configuration'))(
    'a run passes with the conclusion `neutral` for the reason %s if `allow-unscanned` contains it',
    (reason) => {
      const policy = { ...POLICY, allowUnscanned: [reason] };
      expect(judge(stopped(reason), policy)).toMatchObject({
        exitCode: 0,
        conclusion: 'neutral',
        allowed: true,
      });
    },
  );

  test('a run fails for the reason `configuration`, even if `allow-unscanned` contains it', () => {
    expect(judge(stopped('configuration'), { ...POLICY, allowUnscanned: ['configuration'] }).exitCode).toBe(
      1,
    );
  });

  test('a run fails after a signal, whatever `allow-unscanned` contains', () => {
    expect(judge(stopped('scan-cancelled', true), { ...POLICY, allowUnscanned: [...REASONS] }).exitCode).toBe(
      1,
    );
  });

  test('a run fails if it repeats the failure of an earlier run, whatever `allow-unscanned` contains', () => {
    const ended = (repeated: boolean): ScanOutcome => {
      return { kind: 'not-scanned', failure: { reason: 'scan-failed', cause: 'c', nextStep: 'n', repeated } };
    };
    const allowing = { ...POLICY, allowUnscanned: [...REASONS] };
    expect(judge(ended(true), allowing).exitCode).toBe(1);
    expect(judge(ended(false), allowing).exitCode).toBe(0);
  });
});

describe('the policy for an event', () => {
  const policy = { ...POLICY, allowUnscanned: [...REASONS] };

  test('the policy for an event with a pull request never allows `unsupported-event`', () => {
    const applied = neverAllowClosed(policy, true);
    expect(judge(stopped('unsupported-event'), applied)).toMatchObject({ exitCode: 1, allowed: false });
    const others = REASONS.filter((reason) => reason !== 'unsupported-event');
    expect(applied).toEqual({ ...policy, allowUnscanned: others });
  });

  test('the policy for an event without a pull request is the policy of the workflow', () => {
    expect(neverAllowClosed(policy, false)).toEqual(policy);
    expect(judge(stopped('unsupported-event'), neverAllowClosed(policy, false)).exitCode).toBe(0);
  });
});

describe('the details of a finding', () => {
  const MEDIUM_AND_HIGH: GatePolicy = { ...POLICY, failOn: failOnAt('high', 'poc') };
  const LOW_BLOCKS: GatePolicy = { ...POLICY, severityThreshold: 'high', failOn: failOnAt('low') };
  test.each([
    [true, 'a severity at the threshold', { severity: 'MEDIUM' }, MEDIUM_AND_HIGH],
    [
      true,
      'a severity that blocks, whatever the evidence',
      { severity: 'HIGH', evidence: null },
      MEDIUM_AND_HIGH,
    ],
    [true, 'a severity that blocks, but is below the threshold', { severity: 'LOW' }, LOW_BLOCKS],
    [true, 'an unknown severity', { severity: 'odd' }, POLICY],
    [false, 'a severity that neither blocks nor is reported', { severity: 'LOW' }, MEDIUM_AND_HIGH],
    [false, 'a finding closed by triage', { severity: 'CRITICAL', resolution: 'MITIGATED' }, POLICY],
    [
      true,
      'a finding that is resolved, and still found',
      { severity: 'CRITICAL', resolution: 'RESOLVED' },
      POLICY,
    ],
    [
      false,
      'a severity below the threshold, if nothing blocks',
      { severity: 'LOW' },
      { ...POLICY, failOn: FAIL_ON_NONE },
    ],
  ] as const)('mayBeReported returns %s for %s', (worth, _what, members, policy) => {
    expect(mayBeReported(finding(members), policy)).toBe(worth);
  });
});

test('a verdict lists every finding exactly once', () => {
  const severities = ['CRITICAL', 'high', 'Medium', 'LOW', 'INFO', 'NONE', 'odd', ''];
  const anyFinding = fc.record({
    severity: fc.constantFrom(...severities),
    resolution: fc.constantFrom('NOT_STARTED', 'RESOLVED', 'WONT_FIX', 'odd', undefined),
    triage: fc.constantFrom('CONFIRMED', 'PENDING', 'odd', undefined),
    evidence: fc.constantFrom('POC', 'ANALYSIS', null, undefined),
    location: fc.constantFrom(at('docs/a.md'), at('src/a.ts'), at('../docs/a.md'), undefined),
  });
  const anyPolicy = fc.record({
    severityThreshold: fc.constantFrom(...SEVERITY_LEVELS),
    failOn: fc
      .uniqueArray(
        fc.record({
          severity: fc.constantFrom(...SEVERITY_LEVELS),
          evidence: fc.constantFrom(...EVIDENCE_LEVELS),
        }),
        { selector: ({ severity }) => severity },
      )
      .map((rules): FailOn => ({ rules: normalRules(rules), defaultEvidence: 'any' })),
    allowUnscanned: fc.constant([]),
    pathsExempt: fc.constantFrom([], patterns('docs/**'), patterns('**', '!src/**')),
  });
  fc.assert(
    fc.property(fc.array(anyFinding), anyPolicy, (members, policy) => {
      const findings = members.map((part, index) => finding({ ...part, id: `id-${index}` }));
      const { outcome, exitCode, findings: groups } = judge(completed(...findings), policy);
      const shown = [...groups.reported, ...groups.below, ...groups.exempt, ...groups.triaged].map(
        ({ id }) => id,
      );
      expect(shown.sort()).toEqual(findings.map(({ id }) => id).sort());
      for (const blocking of groups.blocking) expect(groups.reported).toContain(blocking);
      for (const exempt of groups.exemptAtGate) expect(groups.exempt).toContain(exempt);
      expect(exitCode).toBe(outcome === 'blocked' ? 1 : 0);
      expect(outcome === 'blocked').toBe(groups.blocking.length > 0);
      const ranks = groups.reported.map(({ severity }) => severityRank(severity.level));
      expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    }),
  );
});
