import { listCheckRuns } from '../../../../src/github/check-run.ts';
import { SHA } from '../client.ts';
import { NEXT, type Row } from './row.ts';

const NAME = 'Security scan';
const CHECKS = `GET /repos/acme/shop/commits/${SHA.head}/check-runs`;
const checks = {
  read: (github, signal) => listCheckRuns(github, SHA.head, NAME, signal),
  operation: 'list the check runs',
  permission: 'checks: write',
} satisfies Partial<Row>;
const check = (id: unknown, changes: object = {}) => ({ id, name: NAME, head_sha: SHA.head, ...changes });
const listed = (...check_runs: object[]) => ({ check_runs });
const read = (id: number, changes: object = {}) => ({
  id,
  name: NAME,
  url: undefined,
  externalId: '',
  status: undefined,
  summary: '',
  ...changes,
});
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
  request: `${CHECKS}?check_name=Security%20scan&filter=all&per_page=100&page=1`,
  valid: [
    ['that there are no check runs', listed(), []],
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
      [
        read(7, { url: URL_OF_CHECK, externalId: 'v1:s', status: 'completed', summary: 'Blocked.' }),
        read(6),
        read(5),
      ],
    ],
    ['only check runs of this commit', listed(check(5), check(6, { head_sha: SHA.other })), [read(5)]],
    [
      'a check run without summary, status and valid address',
      listed(check(5, { html_url: 'javascript:x', status: null, output: { summary: null } })),
      [read(5)],
    ],
  ],
  malformed: MALFORMED_CHECKS,
};

const checksOnSecondPage: Row = {
  ...checks,
  reader: 'listCheckRuns (the second page)',
  first: [[checksOnFirstPage.request, { status: 200, body: listed(check(9)), headers: NEXT }]],
  request: `${CHECKS}?check_name=Security%20scan&filter=all&per_page=100&page=2`,
  valid: [['the check runs of both pages', listed(check(8)), [read(9), read(8)]]],
  malformed: MALFORMED_CHECKS,
};

const checksOfAnyName: Row = {
  ...checks,
  reader: 'listCheckRuns without a name',
  read: (github, signal) => listCheckRuns(github, SHA.head, undefined, signal),
  request: `${CHECKS}?filter=all&per_page=100&page=1`,
  valid: [
    [
      'check runs of every name',
      listed(check(5), check(6, { name: 'Another scan' })),
      [read(6, { name: 'Another scan' }), read(5)],
    ],
  ],
  malformed: MALFORMED_CHECKS,
};

export const CHECK_RUN_READERS: readonly Row[] = [checksOnFirstPage, checksOnSecondPage, checksOfAnyName];
