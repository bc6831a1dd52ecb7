import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import type { Reason } from '../../../src/domain/result.ts';
import { FAIL_ON_NONE, type FailOn, failOnAt, type GatePolicy, judge } from '../../../src/domain/verdict.ts';
import { headline, unlistedText } from '../../../src/report/headline.ts';
import { docsPage } from '../../../src/report/links.ts';
import {
  completed,
  INSUFFICIENT_CREDITS,
  MISSING_TOKEN,
  POLICY,
  sampleFinding,
  samplePush,
  sampleReport,
  sampleTarget,
} from './sample-report.ts';

const textOf = (findings: readonly Finding[], policy: Partial<GatePolicy> = {}) => {
  const whole = { ...POLICY, ...policy };
  return headline({ verdict: judge(completed(findings), whole), policy: whole }).text;
};
const high = sampleFinding();
const unconfirmed = sampleFinding({ triage: 'PENDING', evidence: null });
const analysed = sampleFinding({ evidence: 'ANALYSIS' });
const critical = sampleFinding({ word: 'CRITICAL', triage: 'PENDING', evidence: null });
const medium = sampleFinding({ word: 'MEDIUM' });
const low = sampleFinding({ word: 'LOW' });
const closed = sampleFinding({ resolution: 'WONT_FIX' });
const exempt = sampleFinding({ location: { path: 'docs/a.md', startLine: 1, endLine: 1 } });
const EXEMPTING = { pathsExempt: readPathPatterns('docs/**').patterns };
const LIST: FailOn = {
  rules: [
    { severity: 'critical', evidence: 'any' },
    { severity: 'high', evidence: 'poc' },
  ],
  defaultEvidence: 'any',
};

describe('headline', () => {
  test.each([
    ['Blocked: 1 finding at or above high', [high, medium], {}],
    ['Blocked: 2 findings at or above high', [high, high], {}],
    ['Blocked: 2 findings at or above medium', [high, medium], { failOn: failOnAt('medium') }],
    [
      'Blocked: 1 finding at or above high (1 more, but not confirmed)',
      [high, unconfirmed],
      { failOn: failOnAt('high', 'confirmed') },
    ],
    [
      'Blocked: 1 finding at or above high (2 more without a proof of concept)',
      [high, unconfirmed, analysed],
      { failOn: failOnAt('high', 'poc') },
    ],
    ['Passed: 1 finding, none at or above high', [medium], {}],
    ['Passed: 3 findings, none at or above high', [medium, medium, low], {}],
    [
      'Passed: 2 findings, none blocking (1 at or above high, but not confirmed)',
      [unconfirmed, low],
      { failOn: failOnAt('high', 'confirmed') },
    ],
    ['Passed: 2 findings, none can block (fail-on: none)', [high, medium], { failOn: FAIL_ON_NONE }],
    ['Passed: 1 finding, none at or above high', [low], {}],
    [
      'Passed: 1 finding, none blocking (1 at or above high without a proof of concept)',
      [analysed],
      { severityThreshold: 'critical', failOn: failOnAt('high', 'poc') },
    ],
    ['Blocked: 2 findings (fail-on: critical, high:poc)', [high, critical], { failOn: LIST }],
    [
      'Blocked: 1 finding (fail-on: critical, high:poc; 2 more without the evidence)',
      [high, unconfirmed, analysed, medium],
      { failOn: LIST },
    ],
    ['Passed: 1 finding, none blocking (fail-on: critical, high:poc)', [medium], { failOn: LIST }],
    [
      'Passed: 3 findings, none blocking (fail-on: critical, high:poc; 2 at or above high without the evidence)',
      [unconfirmed, analysed, medium],
      { failOn: LIST },
    ],
    ['Passed: 2 findings, none blocking (1 at or above high exempt by path)', [exempt, medium], EXEMPTING],
    [
      'Passed: 3 findings, none blocking (1 at or above high, but not confirmed; 2 at or above high exempt by path)',
      [exempt, exempt, unconfirmed],
      { ...EXEMPTING, failOn: failOnAt('high', 'confirmed') },
    ],
    [
      'Passed: 1 finding, none blocking (fail-on: critical, high:poc; 1 at or above high exempt by path)',
      [exempt],
      { ...EXEMPTING, failOn: LIST },
    ],
    [
      'Passed: 1 finding, none at or above critical',
      [exempt],
      { ...EXEMPTING, failOn: failOnAt('critical') },
    ],
    ['Passed: 1 finding, none can block (fail-on: none)', [exempt], { ...EXEMPTING, failOn: FAIL_ON_NONE }],
    ['Blocked: 1 finding at or above high (2 more exempt by path)', [high, exempt, exempt], EXEMPTING],
    [
      'Blocked: 1 finding (fail-on: critical, high:poc; 1 more without the evidence; 1 more exempt by path)',
      [high, unconfirmed, exempt],
      { ...EXEMPTING, failOn: LIST },
    ],
    ['Passed: no findings', [], { failOn: LIST }],
    ['Passed: no open findings, 1 closed by triage', [closed], {}],
    ['Passed: no findings', [], {}],
  ] as const)('the headline reads: %s', (expected, findings, policy) =>
    expect(textOf(findings, policy)).toBe(expected),
  );

  test('the headline says that there is nothing to scan', () => {
    const { text: said } = headline({ verdict: judge({ kind: 'unchanged' }, POLICY), policy: POLICY });
    expect(said).toBe('Nothing to scan: no changes since the merge base');
  });

  test('the headline of an unscanned change has the cause and the next step', () => {
    const said = headline({
      verdict: judge({ kind: 'not-scanned', failure: INSUFFICIENT_CREDITS }, POLICY),
      policy: POLICY,
    });
    expect(said).toMatchObject({
      text: 'Not scanned: not enough credits',
      cause: INSUFFICIENT_CREDITS.cause,
    });
    expect(said.nextStep).toBe(`${INSUFFICIENT_CREDITS.nextStep} If you cannot do this, ask a maintainer.`);
    expect(JSON.stringify(said)).not.toMatch(/finding/i);
  });

  test('the headline says that a change was allowed without a scan', () => {
    const policy: GatePolicy = { ...POLICY, allowUnscanned: ['missing-token'] };
    const said = headline({
      verdict: judge({ kind: 'not-scanned', failure: MISSING_TOKEN }, policy),
      policy,
    });
    expect(said.text).toBe('Not scanned (allowed): GitHub did not pass the API token');
  });

  test.each(['missing-token', 'untrusted-fork'] as const)(
    'the next step does not say how to pass without a scan if the reason is `%s`',
    (reason) => {
      const failure = { ...MISSING_TOKEN, reason };
      const verdict = judge({ kind: 'not-scanned', failure }, POLICY);
      expect(headline({ verdict, policy: POLICY }).nextStep).toBe(failure.nextStep);
    },
  );

  test('the headline names a closed pull request, which gets no verdict', () => {
    const failure = { ...MISSING_TOKEN, reason: 'unsupported-event' as const };
    const verdict = judge({ kind: 'not-scanned', failure }, POLICY);
    const text = (target: ReturnType<typeof sampleTarget> | undefined) =>
      headline({ verdict, policy: POLICY, target }).text;
    expect(text(sampleTarget({ pullRequest: { state: 'closed' } }))).toBe('Not scanned: closed pull request');
    expect(text(sampleTarget({ pullRequest: { state: 'reopened' } }))).toBe('Not scanned: unsupported event');
    expect(text(samplePush())).toBe('Not scanned: unsupported event');
    expect(text(undefined)).toBe('Not scanned: unsupported event');
  });
});

describe('headline: a blocked change', () => {
  const COMMANDS = docsPage('triage', 'close-findings-by-comment');
  const PAGE = docsPage('outcomes', 'your-pull-request-is-blocked');

  test('the next step of a pull request is to fix or to contest each finding, and links how', () => {
    expect(headline(sampleReport([high])).nextStep).toBe(
      `Push a fix for each blocking finding, or contest it: close it in the scanning service (\`scan.example\`) as \`FALSE_POSITIVE\`, \`WONT_FIX\`, \`MITIGATED\` or \`DUPLICATE\`, then re-run this job. Where it is set up, another user with write access can use ${COMMANDS} instead. If you cannot do this, ask a maintainer. For more, see ${PAGE}.`,
    );
  });

  test('the next step of a push does not link what is only for pull requests', () => {
    const { nextStep } = headline(sampleReport([high], { target: samplePush() }));
    expect(nextStep).toMatch(/then re-run this job\. If you cannot do this, ask a maintainer\.$/);
  });

  test('the next step does not name the service if its address is not known', () => {
    expect(headline(sampleReport([high], { serviceOrigin: '' })).nextStep).toContain(
      'in the scanning service as `FALSE_POSITIVE`',
    );
  });
});

describe('headline: the author may lack access for the next step', () => {
  const next = (reason: Reason, policy: GatePolicy = POLICY) => {
    const failure = { ...MISSING_TOKEN, reason };
    return headline({ verdict: judge({ kind: 'not-scanned', failure }, policy), policy }).nextStep;
  };

  test.each(['timeout', 'insufficient-credits', 'configuration'] as const)(
    'the next step refers to a maintainer if the reason is `%s`',
    (reason) => {
      expect(next(reason)).toBe(`${MISSING_TOKEN.nextStep} If you cannot do this, ask a maintainer.`);
    },
  );

  test('the next step does not refer to a maintainer if the reason is `superseded`, or is allowed', () => {
    expect(next('superseded')).toBe(MISSING_TOKEN.nextStep);
    expect(next('timeout', { ...POLICY, allowUnscanned: ['timeout'] })).toBe(MISSING_TOKEN.nextStep);
  });
});

describe('headline: a severe finding does not block', () => {
  const next = (findings: readonly Finding[], policy: Partial<GatePolicy>) => {
    const whole = { ...POLICY, ...policy };
    return headline({ verdict: judge(completed(findings), whole), policy: whole }).nextStep;
  };

  test.each([
    ['poc', 'Only findings with a proof of concept block (`fail-on-evidence: poc`).'],
    ['confirmed', 'Only confirmed findings block (`fail-on-evidence: confirmed`).'],
  ] as const)(
    'the next step explains the missing evidence for `fail-on-evidence: %s`',
    (failOnEvidence, why) => {
      expect(next([high, unconfirmed], { failOn: failOnAt('high', failOnEvidence) })).toContain(why);
      expect(next([unconfirmed], { failOn: failOnAt('high', failOnEvidence) })).toContain(why);
    },
  );

  test('the next step names the needed evidence for each severity of a `fail-on` list', () => {
    expect(next([unconfirmed], { failOn: LIST })).toContain(
      'Only critical findings and high findings with a proof of concept block (`fail-on: critical, high:poc`).',
    );
    const three: FailOn = {
      rules: [
        ...LIST.rules.slice(0, 1),
        { severity: 'high', evidence: 'confirmed' },
        { severity: 'low', evidence: 'poc' },
      ],
      defaultEvidence: 'confirmed',
    };
    expect(next([unconfirmed], { failOn: three })).toContain(
      'Only critical findings, confirmed high findings, and low findings with a proof of concept block (`fail-on: critical:any, high, low:poc`).',
    );
  });

  test('the next step names the input `fail-on` if this input sets the needed evidence', () => {
    const failOn: FailOn = { ...failOnAt('high', 'confirmed'), defaultEvidence: 'any' };
    expect(next([unconfirmed], { failOn })).toContain(
      'Only confirmed findings block (`fail-on: high:confirmed`).',
    );
  });

  test('the next step explains that the file of a severe finding is exempt', () => {
    const why = ' Findings in files that `paths-exempt` matches do not block.';
    expect(next([high, exempt], EXEMPTING)).toContain(why);
    expect(next([exempt], EXEMPTING)).toBe(`The scan completed. No action is required.${why}`);
    expect(next([high], EXEMPTING)).not.toContain('paths-exempt');
  });

  test('the next step does not name `fail-on-evidence` if all severe findings block', () => {
    expect(next([high], { failOn: failOnAt('high', 'poc') })).not.toContain('fail-on-evidence');
    expect(next([unconfirmed], {})).not.toContain('fail-on-evidence');
  });
});

test('unlistedText counts the unreported findings by reason', () => {
  const said = (findings: readonly Finding[], policy: Partial<GatePolicy> = {}) => {
    const whole = { ...POLICY, ...policy };
    return unlistedText({ verdict: judge(completed(findings), whole), policy: whole });
  };
  expect(said([high, medium])).toBeUndefined();
  expect(said([high, low])).toBe('1 finding below medium');
  expect(said([closed, closed])).toBe('2 findings closed by triage');
  expect(said([exempt], EXEMPTING)).toBe('1 finding exempt by path');
  expect(said([low, exempt, exempt, closed], EXEMPTING)).toBe(
    '1 finding below medium, 2 findings exempt by path, and 1 finding closed by triage',
  );
  expect(said([low, closed])).toBe('1 finding below medium and 1 finding closed by triage');
});
