import { expect, test } from 'vitest';
import { REASONS, type Reason } from '../../src/domain/result.ts';
import { EVIDENCE_LEVELS, failOnAt, judge, type ScanOutcome } from '../../src/domain/verdict.ts';
import { evidenceLabel } from '../../src/report/labels.ts';
import { finding } from '../unit/domain/sample-finding.ts';
import { aScan } from '../unit/scan/fake-api.ts';
import { codeSpansOf, readPage, rowsOf, tableUnder } from './documents.ts';

const TABLE = tableUnder(readPage('docs/outcomes.md'), 'Outcomes');

function completed(...severities: readonly string[]): ScanOutcome {
  const findings = severities.map((severity) => finding({ severity }));
  return { kind: 'completed', scan: aScan('COMPLETED'), findings };
}

function notScanned(reason: Reason): ScanOutcome {
  return { kind: 'not-scanned', failure: { reason, cause: 'c', nextStep: 'n' } };
}

interface Row {
  readonly situation: string;
  readonly outcome: ScanOutcome;
  readonly allowed?: readonly Reason[];
  /** Matches what the page says about the job. */
  readonly job: RegExp;
  /** Matches what the page says about the check run. */
  readonly checkRun: RegExp;
  readonly exitCode: 0 | 1;
  readonly conclusion: string;
}

/** The page says the same of every reason but `paths`. */
const FAILING = REASONS.filter((reason) => reason !== 'paths');

test.each<Row>([
  {
    situation: 'no finding is reported',
    outcome: completed(),
    job: /^passes$/,
    checkRun: /^success;/,
    exitCode: 0,
    conclusion: 'success',
  },
  {
    situation: 'the reported findings do not block',
    outcome: completed('MEDIUM'),
    job: /^passes$/,
    checkRun: /; neutral if findings are reported$/,
    exitCode: 0,
    conclusion: 'neutral',
  },
  {
    situation: 'a finding blocks',
    outcome: completed('HIGH'),
    job: /^fails$/,
    checkRun: /^failure$/,
    exitCode: 1,
    conclusion: 'failure',
  },
  {
    situation: 'nothing changed',
    outcome: { kind: 'unchanged' },
    job: /^passes$/,
    checkRun: /^success$/,
    exitCode: 0,
    conclusion: 'success',
  },
  ...FAILING.map((reason) => ({
    situation: `the reason is \`${reason}\`, and is not allowed`,
    outcome: notScanned(reason),
    job: /^fails, unless /,
    checkRun: /^failure;/,
    exitCode: 1 as const,
    conclusion: 'failure',
  })),
  {
    situation: 'the reason is allowed',
    outcome: notScanned('timeout'),
    allowed: ['timeout'],
    job: /unless `allow-unscanned` lists the reason/,
    checkRun: /; neutral if the reason is allowed$/,
    exitCode: 0,
    conclusion: 'neutral',
  },
  {
    situation: 'the reason is `paths`',
    outcome: notScanned('paths'),
    job: /unless .*, or it is `paths`$/,
    checkRun: /; neutral if the reason is allowed$/,
    exitCode: 0,
    conclusion: 'neutral',
  },
])('docs/outcomes.md says which result the job and the check run get if $situation', (row) => {
  const policy = { severityThreshold: 'low', failOn: failOnAt('high'), pathsExempt: [] } as const;
  const verdict = judge(row.outcome, { ...policy, allowUnscanned: row.allowed ?? [] });
  expect(verdict).toMatchObject({ exitCode: row.exitCode, conclusion: row.conclusion });
  const [, job, checkRun] = TABLE.get(verdict.outcome) ?? [];
  expect(job).toMatch(row.job);
  expect(checkRun).toMatch(row.checkRun);
});

const EVIDENCE = rowsOf(readPage('docs/outcomes.md')).filter(({ header }) => header[0] === 'in the report');

test.each([
  ['PENDING', null],
  ['CONFIRMED', 'ANALYSIS'],
  ['CONFIRMED', 'POC'],
  ['CONFIRMED', null],
  ['REJECTED', null],
  [undefined, null],
])(
  'docs/outcomes.md says what the report shows for the triage %s and the evidence %s, and what this meets',
  (triage, evidence) => {
    const shown = finding({ triage, evidence });
    const [, service = '', meets = ''] =
      EVIDENCE.find(({ cells }) => cells[0] === evidenceLabel(shown))?.cells ?? [];
    expect(codeSpansOf(service)).toEqual([triage, evidence].filter((word) => word != null));
    const blocking = EVIDENCE_LEVELS.filter((level) => {
      const policy = {
        severityThreshold: 'low',
        failOn: failOnAt('high', level),
        pathsExempt: [],
        allowUnscanned: [],
      } as const;
      const outcome: ScanOutcome = { kind: 'completed', scan: aScan('COMPLETED'), findings: [shown] };
      return judge(outcome, policy).outcome === 'blocked';
    });
    expect(codeSpansOf(meets)).toEqual(blocking);
  },
);

test('docs/outcomes.md explains six kinds of evidence', () => {
  expect(EVIDENCE).toHaveLength(6);
});
