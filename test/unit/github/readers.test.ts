import { describe, expect, test } from 'vitest';
import type { GitHubError } from '../../../src/github/errors.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { API, client } from './client.ts';
import { CHECK_RUN_READERS } from './readers/check-runs.ts';
import { CONTENT_READERS } from './readers/content.ts';
import { PERMISSION_READERS } from './readers/permissions.ts';
import { PULL_REQUEST_READERS } from './readers/pull-requests.ts';
import { REPOSITORY_READERS } from './readers/repository.ts';
import type { Answer, Row } from './readers/row.ts';
import { WORKFLOW_RUN_READERS } from './readers/workflow-runs.ts';

/** A row for each request of the functions that read from GitHub's API. */
const ROWS: readonly Row[] = [
  ...REPOSITORY_READERS,
  ...CONTENT_READERS,
  ...PERMISSION_READERS,
  ...PULL_REQUEST_READERS,
  ...CHECK_RUN_READERS,
  ...WORKFLOW_RUN_READERS,
];

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };
/** Answers that are failures. Each row has the kind of the error, and how often the client sends the request. */
const ODD_ANSWERS: readonly (readonly [
  what: string,
  answer: Answer,
  kind: GitHubError['kind'],
  sends: number,
])[] = [
  ['GitHub answers 401', { status: 401, body: { message: 'Bad credentials' } }, 'unauthorized', 1],
  [
    'GitHub answers 403',
    { status: 403, body: { message: 'Resource not accessible by integration' } },
    'forbidden',
    1,
  ],
  ['GitHub answers 404', NOT_FOUND, 'not-found', 1],
  ['GitHub answers 422', { status: 422, body: { message: 'Invalid request.' } }, 'refused', 1],
  ['GitHub answers 502 three times', { status: 502, body: 'Bad Gateway' }, 'unreachable', 3],
  ['the answer is HTML three times', { status: 200, body: '<html>sign in</html>' }, 'invalid', 3],
];

/** Runs the reader. Its first requests get the answers of `first`. Every later request gets `answer`. */
async function asked({ first = [], read }: Row, answer: Answer, signal = NEVER_ABORTED) {
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const answers = first.map(([, one]) => one);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    requests.push(`${init?.method} ${String(input).replace(API, '')}`);
    if (typeof init?.body === 'string') bodies.push(JSON.parse(init.body));
    const { status, body, headers } = answers[requests.length - 1] ?? answer;
    const isText = typeof body === 'string';
    return new Response(isText ? body : JSON.stringify(body), {
      status,
      headers: { 'content-type': isText ? 'text/html' : 'application/json', ...headers },
    });
  };
  return { result: await read(client({ fetch }), signal), requests, bodies };
}

/** The requests that the reader has to send: first those of `first`, then the request of the row `sends` times. */
function requestsOf({ first = [], request }: Row, sends = 1): readonly string[] {
  return [...first.map(([one]) => one), ...Array.from({ length: sends }, () => request)];
}

function failureOf({ operation, permission, errorFor = (error) => error }: Row, error: Partial<GitHubError>) {
  return { ok: false, error: errorFor({ operation, permission, ...error }) };
}

describe.each(ROWS.map((row) => [row.reader, row] as const))('%s', (_reader, row) => {
  test.each(row.valid.map(([what, ...rest]) => [what, rest] as const))(
    `${row.reader} reads %s`,
    async (_what, [body, value, headers]) => {
      const { result, requests, bodies } = await asked(row, { status: 200, body, headers });
      expect(result).toEqual({ ok: true, value });
      expect(requests).toEqual(requestsOf(row));
      if (row.graphql === undefined) return;
      const { query, variables } = row.graphql;
      expect(bodies).toMatchObject([{ query: expect.stringContaining(query), variables }]);
    },
  );

  const { absent } = row;
  test.each(ODD_ANSWERS.filter(([, answer]) => answer !== NOT_FOUND || absent === undefined))(
    `${row.reader} returns an error if %s`,
    async (_what, answer, kind, sends) => {
      const { result, requests } = await asked(row, answer);
      expect(result).toMatchObject(failureOf(row, { kind, status: answer.status }));
      expect(requests).toEqual(requestsOf(row, sends));
    },
  );

  if (absent !== undefined)
    test(`${row.reader} reads ${absent[0]} if GitHub answers 404`, async () => {
      const { result, requests } = await asked(row, NOT_FOUND);
      expect(result).toEqual({ ok: true, value: absent[1] });
      expect(requests).toEqual(requestsOf(row));
    });

  test.each(row.malformed)(`${row.reader} returns an error if the answer shows %s`, async (_what, body) => {
    const { result, requests } = await asked(row, { status: 200, body });
    expect(result).toMatchObject(failureOf(row, { kind: 'invalid', status: 200 }));
    expect(requests).toEqual(requestsOf(row));
  });

  test(`${row.reader} sends no request if the run is stopped`, async () => {
    const { result, requests } = await asked(row, { status: 200, body: {} }, AbortSignal.abort());
    expect(result).toMatchObject({ ok: false, error: { kind: 'stopped' } });
    expect(requests).toEqual([]);
  });
});
