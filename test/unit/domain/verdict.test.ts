import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SEVERITY_LEVELS, severityRank } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { REASONS, type Reason } from '../../../src/domain/result.ts';
import {
  badnessOf,
  contradiction,
  EVIDENCE_LEVELS,
  FAIL_ON_NONE,
  type FailOn,
  failOnAt,
  failOnText,
  type GatePolicy,
  judge,
  mayBeReported,
  neverAllowClosed,
  normalRules,
  type ScanOutcome,
  type Verdict,
} from '../../../src/domain/verdict.ts';
import { POLICY } from '../report/sample-report.ts';
import { aScan } from '../scan/fake-api.ts';
import { finding } from './sample-finding.ts';

test('normalRules puts the worst severity first, and drops redundant rules', () => {
  const rules = [
    { severity: 'low', evidence: 'poc' },
    { severity: 'critical', evidence: 'any' },
    { severity: 'medium', evidence: 'poc' },
    { severity: 'high', evidence: 'any' },
  ] as const;
  const [low, critical, medium, high] = rules;
  expect(normalRules(rules)).toEqual([high, low]);
  expect(contradiction(rules)).toBeUndefined();
  expect(contradiction([])).toBeUndefined();
  const strict = { severity: 'high', evidence: 'confirmed' } as const;
  const mild = { ...medium, evidence: 'any' } as const;
  expect(contradiction([mild, critical, strict])).toEqual({ worse: strict, milder: mild });
});

const SCAN = aScan('COMPLETED');

const at = (path: string) => ({ path, startLine: 1, endLine: 1 });
const patterns = (...lines: string[]) => readPathPatterns(lines.join('\n')).patterns;

type Members = Parameters<typeof finding>[0];

function completed(...findings: ReturnType<typeof finding>[]): ScanOutcome {
  return { kind: 'completed', scan: SCAN, findings };
}

function stopped(reason: Reason, more: object = {}): ScanOutcome {
  return { kind: 'not-scanned', failure: { reason, cause: 'c', nextStep: 'n', ...more } };
}

/** A verdict in one line, with the numbers of the findings in each group. */
function line({ outcome, exitCode, conclusion, allowed, failure, findings }: Verdict): string {
  const { counts, total, highest, ...groups } = findings;
  const members = Object.entries(groups)
    .filter(([, group]) => group.length > 0)
    .map(([name, group]) => `${name} ${group.map(({ id }) => id).join(' ')}`);
  const counted = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    `${outcome}${failure === undefined ? '' : ` (${failure.reason})`}, exit ${exitCode}, ${conclusion}`,
    ...(allowed ? ['allowed'] : []),
    ...members,
    ...(total === 0
      ? []
      : [`${total} in total, highest ${highest}, ${JSON.stringify(Object.fromEntries(counted))}`]),
  ].join('; ');
}

/** Compares the verdict on each row with the golden file. */
async function expectVerdicts(
  name: string,
  rows: readonly (readonly [what: string, outcome: ScanOutcome, policy?: Partial<GatePolicy>])[],
): Promise<void> {
  const lines = rows.map(
    ([what, outcome, policy]) => `${what}: ${line(judge(outcome, { ...POLICY, ...policy }))}`,
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
}

/** A completed scan with findings that have these members, and the ids 1, 2 and so on. */
function found(...all: readonly Members[]): ScanOutcome {
  return completed(...all.map((members, index) => finding({ ...members, id: String(index + 1) })));
}

const GATES = [...SEVERITY_LEVELS.map((level) => failOnAt(level)), FAIL_ON_NONE];
const named = (failOn: FailOn) => `fail-on ${failOnText(failOn)}`;

test('the verdict on a completed scan follows from the severities, the triage and the evidence of its findings', async () => {
  const proven = { severity: 'MEDIUM', triage: 'CONFIRMED', evidence: 'POC' } as const;
  await expectVerdicts('verdict-of-scan', [
    ['no finding', found()],
    ...['HIGH', 'MEDIUM', 'LOW'].map((severity) => [`a ${severity} finding`, found({ severity })] as const),
    ...EVIDENCE_LEVELS.map(
      (level) =>
        [
          `findings below the gate, fail-on-evidence ${level}`,
          found(proven, { severity: 'MEDIUM' }),
          { failOn: failOnAt('high', level) },
        ] as const,
    ),
    ...GATES.flatMap((failOn) =>
      ['SEVERE', 'CRITICAL'].map(
        (severity) => [`${severity}, ${named(failOn)}`, found({ severity }), { failOn }] as const,
      ),
    ),
    [
      'a finding that blocks, but is below the threshold',
      found({ severity: 'LOW' }),
      { severityThreshold: 'critical', failOn: failOnAt('low') },
    ],
    // `RESOLVED` blocks, too: the scan of this commit reports the finding, so the commit does not contain the fix.
    ...[
      ...['WONT_FIX', 'MITIGATED', 'FALSE_POSITIVE', 'DUPLICATE'],
      ...['RESOLVED', 'NOT_STARTED', 'IN_PROGRESS', 'ACCEPTED_SOMEHOW', undefined],
    ].map((resolution) => [`resolution ${resolution}`, found({ resolution })] as const),
  ]);
});

test('a high finding blocks if it may have the evidence that the policy asks for', async () => {
  // There may be evidence behind an unknown or missing value, so the finding blocks.
  const lines = ['CONFIRMED', 'PENDING', 'REJECTED', 'LIKELY', undefined].flatMap((triage) =>
    ['POC', 'ANALYSIS', 'FUZZED', null, undefined].map((evidence) => {
      const blocking = EVIDENCE_LEVELS.filter((level) => {
        const policy = { ...POLICY, failOn: failOnAt('high', level) };
        return judge(found({ triage, evidence }), policy).outcome === 'blocked';
      });
      return `triage ${triage}, evidence ${evidence}: blocks with ${blocking.join(', ')}`;
    }),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/verdict-evidence.txt');
});

test.each(['RUNNING', 'FAILED', 'CANCELLED'])('`judge` throws an error for a scan that is %s', (status) => {
  expect(() => judge({ kind: 'completed', scan: { ...SCAN, status }, findings: [] }, POLICY)).toThrow(
    'a scan that is not COMPLETED',
  );
});

test('a finding is exempt only if every path of it surely matches `paths-exempt`', async () => {
  const policy = { pathsExempt: patterns('docs/**', '!docs/api/**') };
  const four = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'].map((severity) => ({
    severity,
    location: at('docs/a.md'),
  }));
  const rows: readonly (readonly [what: string, members: Members])[] = [
    ['of an exempt file', { location: at('docs/a.md') }],
    ['without a location', { location: undefined }],
    ['of a file that is taken back', { location: at('docs/api/a.ts') }],
    ['of a file with `..`', { location: at('docs/../src/a.ts') }],
    ['of several exempt files', { location: at('docs/a.md'), otherPaths: ['docs/b.md'] }],
    ['of another file', { location: at('docs/a.md'), otherPaths: ['docs/b.md', 'src/a.ts'] }],
    ['of a file without a shown path', { location: at('docs/a.md'), otherPaths: [''] }],
    ['of an exempt file beside another', { location: at('src/a.ts'), otherPaths: ['docs/a.md'] }],
    ['of an exempt file, without a location', { location: undefined, otherPaths: ['docs/a.md'] }],
    ['of an unknown severity', { severity: 'SEVERE', location: at('docs/a.md') }],
    ['closed by triage', { location: at('docs/a.md'), resolution: 'MITIGATED' }],
  ];
  await expectVerdicts('verdict-exempt', [
    ...rows.map(([what, members]) => [`a finding ${what}`, found(members), policy] as const),
    ['no exempt paths', found({ location: at('docs/a.md') })],
    ...[failOnAt('high', 'poc'), failOnAt('medium'), FAIL_ON_NONE].map(
      (failOn) => [`four exempt findings, ${named(failOn)}`, found(...four), { ...policy, failOn }] as const,
    ),
  ]);
});

test('the verdict on a run without a completed scan follows from its reason and from what is allowed', async () => {
  const everything = { allowUnscanned: [...REASONS] };
  const closing = (hasPullRequest: boolean) => neverAllowClosed({ ...POLICY, ...everything }, hasPullRequest);
  await expectVerdicts('verdict-not-scanned', [
    ['nothing changed', { kind: 'unchanged' }, everything],
    ...REASONS.flatMap((reason) => [
      [`${reason}, not allowed`, stopped(reason)] as const,
      [`${reason}, allowed`, stopped(reason), { allowUnscanned: [reason] }] as const,
    ]),
    ['paths after a signal', stopped('paths', { bySignal: true })],
    ['scan-cancelled by a signal', stopped('scan-cancelled', { bySignal: true }), everything],
    ['the failure of an earlier run', stopped('scan-failed', { repeated: true }), everything],
    ['the failure of this run', stopped('scan-failed', { repeated: false }), everything],
    ['an event with a pull request', stopped('unsupported-event'), closing(true)],
    ['another reason on such an event', stopped('timeout'), closing(true)],
    ['an event without one', stopped('unsupported-event'), closing(false)],
  ]);
  expect(judge(stopped('timeout'), POLICY).failure).toEqual({ reason: 'timeout', cause: 'c', nextStep: 'n' });
});

const LOW_BLOCKS = { severityThreshold: 'high', failOn: failOnAt('low') } as const;
const EXEMPT = { pathsExempt: patterns('docs/**') };
test.each<[may: boolean, what: string, members: Members, policy?: Partial<GatePolicy>]>([
  [true, 'a severity at the threshold', { severity: 'MEDIUM' }],
  [true, 'a severity that blocks, without the evidence', {}, { failOn: failOnAt('high', 'poc') }],
  [true, 'a severity that blocks below the threshold', { severity: 'LOW' }, LOW_BLOCKS],
  [true, 'an unknown severity', { severity: 'odd' }],
  [false, 'a severity that neither blocks nor is reported', { severity: 'LOW' }],
  [false, 'a finding closed by triage', { severity: 'CRITICAL', resolution: 'MITIGATED' }],
  [true, 'a finding that is resolved, and still found', { severity: 'CRITICAL', resolution: 'RESOLVED' }],
  [false, 'a severity below the threshold, if nothing blocks', { severity: 'LOW' }, { failOn: FAIL_ON_NONE }],
  [false, 'an exempt finding that would block', { location: at('docs/a.md') }, EXEMPT],
  [true, 'a finding that is not exempt', { location: at('src/a.md'), severity: 'MEDIUM' }, EXEMPT],
])('mayBeReported returns %s for %s', (may, _what, members, policy) => {
  expect(mayBeReported(finding(members), { ...POLICY, ...policy })).toBe(may);
});

test('a verdict lists every finding exactly once', () => {
  const anyFinding = fc.record({
    severity: fc.constantFrom('CRITICAL', 'high', 'Medium', 'LOW', 'INFO', 'NONE', 'odd', ''),
    resolution: fc.constantFrom('NOT_STARTED', 'RESOLVED', 'WONT_FIX', 'odd', undefined),
    triage: fc.constantFrom('CONFIRMED', 'PENDING', 'odd', undefined),
    evidence: fc.constantFrom('POC', 'ANALYSIS', null, undefined),
    location: fc.constantFrom(at('docs/a.md'), at('src/a.ts'), at('../docs/a.md'), undefined),
  });
  const severity = fc.constantFrom(...SEVERITY_LEVELS);
  const rule = fc.record({ severity, evidence: fc.constantFrom(...EVIDENCE_LEVELS) });
  const anyPolicy = fc.record({
    severityThreshold: severity,
    failOn: fc
      .uniqueArray(rule, { selector: (one) => one.severity })
      .map((rules): FailOn => ({ rules: normalRules(rules), defaultEvidence: 'any' })),
    allowUnscanned: fc.constant([]),
    pathsExempt: fc.constantFrom([], patterns('docs/**'), patterns('**', '!src/**')),
  });
  const ids = (findings: readonly { readonly id: string | undefined }[]) =>
    findings.map(({ id }) => id).sort();
  fc.assert(
    fc.property(fc.array(anyFinding), anyPolicy, (members, policy) => {
      const findings = members.map((part, index) => finding({ ...part, id: `id-${index}` }));
      const { outcome, exitCode, findings: groups } = judge(completed(...findings), policy);
      const { reported, below, exempt, triaged, blocking, exemptAtGate } = groups;
      expect(ids([...reported, ...below, ...exempt, ...triaged])).toEqual(ids(findings));
      expect(reported).toEqual(expect.arrayContaining([...blocking]));
      expect(exempt).toEqual(expect.arrayContaining([...exemptAtGate]));
      expect([outcome, exitCode]).toEqual(blocking.length > 0 ? ['blocked', 1] : ['passed', 0]);
      const ranks = reported.map(({ severity }) => severityRank(severity.level));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    }),
  );
});

test('the badness of a result grows from a passed one to a blocked one', () => {
  const judged = judge(stopped('timeout'), POLICY);
  const rank = (outcome: Verdict['outcome'], conclusion: Verdict['conclusion'], allowed = false) =>
    badnessOf({ ...judged, outcome, conclusion, allowed });
  expect([rank('unchanged', 'success'), rank('passed', 'success')]).toEqual([0, 0]);
  expect(rank('passed', 'neutral')).toBe(1);
  expect(rank('not-scanned', 'neutral', true)).toBe(2);
  expect(rank('not-scanned', 'failure')).toBe(3);
  expect(rank('blocked', 'failure')).toBe(4);
});
