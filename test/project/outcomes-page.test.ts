import { expect, test } from 'vitest';
import { REASONS, type Reason } from '../../src/domain/result.ts';
import { EVIDENCE_LEVELS, failOnAt, judge, type ScanOutcome } from '../../src/domain/verdict.ts';
import { evidenceLabel } from '../../src/report/labels.ts';
import { finding } from '../unit/domain/sample-finding.ts';
import { completed, POLICY } from '../unit/report/sample-report.ts';
import { read } from './code.ts';
import { codeSpansOf, rowsOf, tableUnder } from './documents.ts';

const TABLE = tableUnder(read('docs/outcomes.md'), 'Outcomes');
const found = (severity: string) => completed([finding({ severity })]);

function notScanned(reason: Reason): ScanOutcome {
  return { kind: 'not-scanned', failure: { reason, cause: 'c', nextStep: 'n' } };
}

/** What the page says of the result of the job and of the check run, if `allow-unscanned` lists the reasons. */
const ROWS: readonly (readonly [
  outcome: ScanOutcome,
  exitCode: 0 | 1,
  job: RegExp,
  conclusion: string,
  checkRun: RegExp,
  allowed?: readonly Reason[],
])[] = [
  [completed([]), 0, /^passes$/, 'success', /^success;/],
  [found('MEDIUM'), 0, /^passes$/, 'neutral', /; neutral if findings are reported$/],
  [found('HIGH'), 1, /^fails$/, 'failure', /^failure$/],
  [{ kind: 'unchanged' }, 0, /^passes$/, 'success', /^success$/],
  // The page says the same of every reason but `paths`.
  ...REASONS.filter((reason) => reason !== 'paths').map(
    (reason) => [notScanned(reason), 1, /^fails, unless /, 'failure', /^failure;/] as const,
  ),
  [
    notScanned('timeout'),
    0,
    /unless `allow-unscanned` lists the reason/,
    'neutral',
    /; neutral if the reason is allowed$/,
    ['timeout'],
  ],
  [notScanned('paths'), 0, /unless .*, or it is `paths`$/, 'neutral', /; neutral if the reason is allowed$/],
];

test('docs/outcomes.md says which result the job and the check run get for each outcome', () => {
  for (const [outcome, exitCode, job, conclusion, checkRun, allowUnscanned = []] of ROWS) {
    const verdict = judge(outcome, { ...POLICY, allowUnscanned });
    expect(verdict).toMatchObject({ exitCode, conclusion });
    const [, saidOfJob, saidOfCheckRun] = TABLE.get(verdict.outcome) ?? [];
    expect(saidOfJob).toMatch(job);
    expect(saidOfCheckRun).toMatch(checkRun);
  }
});

test('docs/outcomes.md says what the report shows for each kind of evidence, and what this meets', () => {
  const evidence = rowsOf(read('docs/outcomes.md')).filter(({ header }) => header[0] === 'in the report');
  const kinds = [
    ['PENDING', null],
    ['CONFIRMED', 'ANALYSIS'],
    ['CONFIRMED', 'POC'],
    ['CONFIRMED', null],
    ['REJECTED', null],
    [undefined, null],
  ] as const;
  const expected = kinds.map(([triage, proof]) => {
    const shown = finding({ triage, evidence: proof });
    const meets = EVIDENCE_LEVELS.filter((level) => {
      const policy = { ...POLICY, failOn: failOnAt('high', level) };
      return judge(completed([shown]), policy).outcome === 'blocked';
    });
    return [evidenceLabel(shown), [triage, proof].filter((word) => word != null), meets];
  });
  const said = evidence.map(({ cells: [shown, service = '', meets = ''] }) => [
    shown,
    codeSpansOf(service),
    codeSpansOf(meets),
  ]);
  expect(said).toHaveLength(expected.length);
  expect(said).toEqual(expect.arrayContaining(expected));
});
