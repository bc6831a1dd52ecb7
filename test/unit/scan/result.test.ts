import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/finding.ts';
import type { Disclosure } from '../../../src/domain/target.ts';
import { FAIL_ON_NONE, failOnAt, type GatePolicy } from '../../../src/domain/verdict.ts';
import { resultNotices } from '../../../src/scan/result.ts';
import { finding } from '../domain/sample-finding.ts';
import { aScan } from './fake-api.ts';

const POLICY: GatePolicy = {
  severityThreshold: 'medium',
  failOn: failOnAt('high'),
  allowUnscanned: [],
  pathsExempt: [],
};
const warnings = (
  findings: readonly Finding[],
  policy: Partial<GatePolicy> = {},
  disclosure: Disclosure = 'everything',
) => resultNotices(aScan('COMPLETED'), findings, { ...POLICY, ...policy }, disclosure);
const POC = { failOn: failOnAt('high', 'poc') } as const;

describe('resultNotices: the phases of a completed scan', () => {
  const ofPhases = (phasesCompleted: number | undefined, phasesTotal: number | undefined) => {
    const { progress } = aScan('COMPLETED');
    const scan = aScan('COMPLETED', { progress: { ...progress, phasesCompleted, phasesTotal } });
    return resultNotices(scan, [], POLICY, 'everything');
  };

  test('resultNotices warns if some phases of the scan did not finish', () => {
    expect(ofPhases(1, 8)).toEqual([
      'The scan is COMPLETED, but only 1 of 8 phases finished, so findings can be missing. See the scan in the scanning service. To scan again, push a commit.',
    ]);
    expect(ofPhases(0, 8)).toHaveLength(1);
  });

  test.each([
    ['all phases finished', 8, 8],
    ['more phases finished than the scan has', 9, 8],
    ['the scan has no phases', 0, 0],
    ['the number of finished phases is unknown', undefined, 8],
    ['the number of all phases is unknown', 1, undefined],
  ])('resultNotices does not warn of unfinished phases if %s', (_what, phasesCompleted, phasesTotal) => {
    expect(ofPhases(phasesCompleted, phasesTotal)).toEqual([]);
  });
});

describe('resultNotices: an unknown severity', () => {
  test.each(['any', 'poc'] as const)(
    'resultNotices quotes an unknown severity in its warning (fail-on-evidence: %s)',
    (failOnEvidence) => {
      const odd = ['SEVERE', 'SEVERE', 'BLOCKER'].map((severity) => finding({ severity }));
      expect(
        warnings([...odd, finding({ severity: 'LOW' })], { failOn: failOnAt('high', failOnEvidence) }),
      ).toEqual(['3 findings rank above critical because their severity is unknown: SEVERE, BLOCKER.']);
    },
  );

  test('resultNotices warns of a finding whose severity the service does not show, even with `fail-on: none`', () => {
    expect(warnings([finding({ severity: '' })], { failOn: FAIL_ON_NONE })).toEqual([
      '1 finding ranks above critical because the service does not show its severity.',
    ]);
  });

  test('resultNotices does not warn of the severity of a closed finding', () => {
    expect(warnings([finding({ severity: 'SEVERE', resolution: 'MITIGATED' })])).toEqual([]);
  });
});

describe('resultNotices: unknown evidence', () => {
  const silent = finding({ triage: undefined });
  const odd = finding({ triage: 'MAYBE' });
  const unproven = finding({ triage: 'CONFIRMED', evidence: null });
  const fuzzed = finding({ triage: 'CONFIRMED', evidence: 'FUZZED' });

  test('resultNotices warns of findings with unknown triage or evidence if the gate needs evidence to block', () => {
    expect(warnings([silent, odd, unproven, fuzzed], POC)).toEqual([
      'With `fail-on-evidence: poc`, 1 finding at or above high counts as proven because the service does not show its triage.',
      'With `fail-on-evidence: poc`, 1 finding at or above high counts as proven because its triage is unknown: MAYBE.',
      'With `fail-on-evidence: poc`, 1 finding at or above high counts as proven because the service does not show its evidence.',
      'With `fail-on-evidence: poc`, 1 finding at or above high counts as proven because its evidence is unknown: FUZZED.',
    ]);
    expect(warnings([odd, odd, unproven, fuzzed], { failOn: failOnAt('high', 'confirmed') })).toEqual([
      'With `fail-on-evidence: confirmed`, 2 findings at or above high count as proven because their triage is unknown: MAYBE.',
    ]);
  });

  test.each<[what: string, finding: Finding, policy: Partial<GatePolicy>]>([
    ['the gate needs no evidence to block', odd, {}],
    ['the gate blocks nothing', odd, { ...POC, failOn: FAIL_ON_NONE }],
    [
      'the severity of the finding is too low to block',
      finding({ triage: 'MAYBE', severity: 'MEDIUM' }),
      POC,
    ],
    ['the finding is closed', finding({ triage: 'MAYBE', resolution: 'DUPLICATE' }), POC],
    ['triage is pending', finding({ triage: 'PENDING', evidence: null }), POC],
    ['analysis confirmed the finding', finding({ triage: 'CONFIRMED', evidence: 'ANALYSIS' }), POC],
    ['a proof of concept ran', finding({ triage: 'CONFIRMED', evidence: 'POC' }), POC],
  ])('resultNotices does not warn of unknown evidence if %s', (_what, one, policy) => {
    expect(warnings([one], policy)).toEqual([]);
  });

  test('resultNotices quotes the unknown triage of many findings in one short sentence without line breaks', () => {
    const values = Array.from({ length: 30 }, (_, index) => `W${index}\n::error::${'x'.repeat(500)}`);
    const [notice = '', ...others] = warnings(
      values.map((triage) => finding({ triage })),
      POC,
    );
    expect(others).toEqual([]);
    expect(notice).not.toContain('\n');
    expect(notice).toContain('30 findings at or above high count as proven');
    expect(notice).toMatch(/and 25 more\.$/);
    expect(notice.length).toBeLessThan(500);
  });
});

describe('resultNotices: findings that are shown only by label', () => {
  test('resultNotices does not quote unknown values if findings are shown only by label', () => {
    const findings = [
      finding({ severity: 'SEVERE' }),
      finding({ severity: 'BLOCKER' }),
      finding({ triage: 'MAYBE' }),
      finding({ triage: 'CONFIRMED', evidence: 'FUZZED' }),
    ];
    expect(warnings(findings, POC, 'labels')).toEqual([
      '2 findings rank above critical because their severity is unknown.',
      'With `fail-on-evidence: poc`, 1 finding at or above high counts as proven because its triage is unknown.',
      'With `fail-on-evidence: poc`, 1 finding at or above high counts as proven because its evidence is unknown.',
    ]);
  });

  test('resultNotices quotes an unknown severity on a pull request of a public repository', () => {
    expect(warnings([finding({ severity: 'SEVERE' })], {}, 'without-proof')).toEqual([
      '1 finding ranks above critical because its severity is unknown: SEVERE.',
    ]);
  });
});
