import { expect, test } from 'vitest';
import { REASONS, type Reason } from '../../src/domain/result.ts';
import { EVIDENCE_LEVELS, failOnAt, judge, type ScanOutcome } from '../../src/domain/verdict.ts';
import { evidenceLabel } from '../../src/report/labels.ts';
import { finding } from '../unit/domain/sample-finding.ts';
import { aScan } from '../unit/scan/fake-api.ts';
import { read } from './code.ts';
import { codeSpansOf, rowsOf, tableUnder } from './documents.ts';

const TABLE = tableUnder(read('docs/outcomes.md'), 'Outcomes');

function completed(...severities: readonly string[]): ScanOutcome {
  const findings = severities.map((severity) => finding({ severity }));
  return { kind: 'completed', scan: aScan('COMPLETED'), findings };
}

function notScanned(reason: Reason): ScanOutcome {
  return { kind: 'not-scanned', failure: { reason, cause: 'c', nextStep: 'n' } };
}

type Row = readonly [
  situation: string,
  outcome: ScanOutcome,
  exitCode: 0 | 1,
  /** Matches what the page says about the job. */
  job: RegExp,
  conclusion: string,
  /** Matches what the page says about the check run. */
  checkRun: RegExp,
  allowed: readonly Reason[],
];

const NEUTRAL = /; neutral if the reason is allowed$/;
/** The page says the same of every reason but `paths`. */
const FAILING = REASONS.filter((reason) => reason !== 'paths').map((reason): Row => {
  const situation = `the reason is \`${reason}\`, and is not allowed`;
  return [situation, notScanned(reason), 1, /^fails, unless /, 'failure', /^failure;/, []];
});
const ALLOWED = /unless `allow-unscanned` lists the reason/;

test.each<Row>([
  ['no finding is reported', completed(), 0, /^passes$/, 'success', /^success;/, []],
  [
    'the reported findings do not block',
    completed('MEDIUM'),
    0,
    /^passes$/,
    'neutral',
    /; neutral if findings are reported$/,
    [],
  ],
  ['a finding blocks', completed('HIGH'), 1, /^fails$/, 'failure', /^failure$/, []],
  ['nothing changed', { kind: 'unchanged' }, 0, /^passes$/, 'success', /^success$/, []],
  ...FAILING,
  ['the reason is allowed', notScanned('timeout'), 0, ALLOWED, 'neutral', NEUTRAL, ['timeout']],
  ['the reason is `paths`', notScanned('paths'), 0, /unless .*, or it is `paths`$/, 'neutral', NEUTRAL, []],
])(
  'docs/outcomes.md says which result the job and the check run get if %s',
  (_situation, outcome, exitCode, job, conclusion, checkRun, allowUnscanned) => {
    const policy = {
      severityThreshold: 'low',
      failOn: failOnAt('high'),
      pathsExempt: [],
      allowUnscanned,
    } as const;
    const verdict = judge(outcome, policy);
    expect(verdict).toMatchObject({ exitCode, conclusion });
    const [, saidOfJob, saidOfCheckRun] = TABLE.get(verdict.outcome) ?? [];
    expect(saidOfJob).toMatch(job);
    expect(saidOfCheckRun).toMatch(checkRun);
  },
);

const EVIDENCE = rowsOf(read('docs/outcomes.md')).filter(({ header }) => header[0] === 'in the report');

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
