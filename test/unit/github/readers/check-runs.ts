import { listCheckRuns } from '../../../../src/github/check-run.ts';
import { SHA } from '../client.ts';
import { NEXT, type Row } from './row.ts';

const NAME = 'Security scan';
const checks = {
  read: (github) => listCheckRuns(github, SHA.head, NAME),
} satisfies Partial<Row>;
const check = (id: unknown, changes: object = {}) => ({ id, name: NAME, head_sha: SHA.head, ...changes });
const listed = (...check_runs: object[]) => ({ check_runs });
const URL_OF_CHECK = 'https://github.com/acme/shop/runs/7';
const MALFORMED_CHECKS = [
  ['a check run with text as its id', listed(check('seven'))],
  ['a check run without a name', listed(check(7, { name: undefined }))],
  ['a check run without a commit', listed(check(7, { head_sha: undefined }))],
  ['no list', {}],
] as const;

const checksOnFirstPage: Row = {
  ...checks,
  reader: 'listCheckRuns (the first page)',

  valid: [
    ['that there are no check runs', listed()],
    [
      'all check runs, the newest first',
      listed(
        check(5),
        check(7, {
          html_url: URL_OF_CHECK,
          external_id: 'v1:s',
          status: 'completed',
          output: { summary: 'Blocked.' },
        }),
        check(6, { external_id: null, output: null }),
      ),
    ],
    ['only check runs of this commit', listed(check(5), check(6, { head_sha: SHA.other }))],
    [
      'a check run without summary, status and valid address',
      listed(check(5, { html_url: 'javascript:x', status: null, output: { summary: null } })),
    ],
  ],
  malformed: MALFORMED_CHECKS,
};

const checksOnSecondPage: Row = {
  ...checks,
  reader: 'listCheckRuns (the second page)',
  first: [[200, listed(check(9)), NEXT]],

  valid: [['the check runs of both pages', listed(check(8))]],
  malformed: MALFORMED_CHECKS,
};

const checksOfAnyName: Row = {
  ...checks,
  reader: 'listCheckRuns without a name',
  read: (github) => listCheckRuns(github, SHA.head, undefined),

  valid: [['check runs of every name', listed(check(5), check(6, { name: 'Another scan' }))]],
  malformed: MALFORMED_CHECKS,
};

export const CHECK_RUN_READERS: readonly Row[] = [checksOnFirstPage, checksOnSecondPage, checksOfAnyName];
