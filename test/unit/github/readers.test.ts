import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildSchema,
  findBreakingChanges,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { githubSchema } from '../../../sandbox/github/graphql-schema.ts';
import type { Reply } from '../../support/answering.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answered } from './client.ts';
import { bodyOf, plain, resultOf } from './conversation.ts';
import { CHECK_RUN_READERS } from './readers/check-runs.ts';
import { CONTENT_READERS } from './readers/content.ts';
import { PERMISSION_READERS } from './readers/permissions.ts';
import { PULL_REQUEST_READERS } from './readers/pull-requests.ts';
import { REPOSITORY_READERS } from './readers/repository.ts';
import type { Row } from './readers/row.ts';
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

const FORBIDDEN: Reply = [403, { message: 'Resource not accessible by integration' }];
const NOT_FOUND: Reply = [404, { message: 'Not Found' }];
/** Answers that are failures for every reader. Each has the kind of the error, and how often the client sends the request. */
const ODD_ANSWERS: readonly (readonly [what: string, reply: Reply, kind: string, sends: number])[] = [
  ['GitHub answers 401', [401, { message: 'Bad credentials' }], 'unauthorized', 1],
  ['GitHub answers 422', [422, { message: 'Invalid request.' }], 'refused', 1],
  ['GitHub answers 502 three times', [502, 'Bad Gateway'], 'unreachable', 3],
  ['the answer is HTML three times', [200, '<html>sign in</html>'], 'invalid', 3],
];

/** Runs the reader. Its first requests get the answers of `first`. Every later request gets `reply`. */
async function asked({ first = [], read }: Row, reply: Reply, signal = NEVER_ABORTED) {
  const { github, asked: requests, bodies } = answered(...first, reply, reply, reply);
  return { result: await read(github.until(signal)), requests, bodies };
}

/** The kind of an error of the client. A reader may wrap the error. */
function kindOf(result: Awaited<ReturnType<Row['read']>>): unknown {
  const { kind, error }: { kind?: unknown; error?: { kind?: unknown } } = Object(
    result.ok ? {} : result.error,
  );
  return error?.kind ?? kind;
}

/** The requests of a reader, what it returns for a refusal, and what it reads from each answer. */
async function described(row: Row): Promise<string> {
  const refused = await asked(row, FORBIDDEN);
  const lineOf = async ([what, body, headers = {}]: Row['valid'][number]) => {
    const { result, requests } = await asked(row, [200, body, headers]);
    expect(requests, `the requests for ${what}`).toEqual(refused.requests);
    return `${what}: ${resultOf(result)}`;
  };
  const absent = await asked(row, NOT_FOUND);
  return [
    `${row.reader}:`,
    ...refused.requests.map((request, index) => plain(request) + bodyOf(refused.bodies[index])),
    ...(await Promise.all(row.valid.map(lineOf))),
    ...(await Promise.all(row.malformed.map(lineOf))),
    `${row.absent ?? 'status 404'}: ${resultOf(absent.result)}`,
    `status 403: ${resultOf(refused.result)}`,
  ].join('\n  ');
}

test('each reader asks for one thing, and reads what GitHub documents', async () => {
  const lines = await Promise.all(ROWS.map(described));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/readers.txt');
});

describe("GitHub's GraphQL schema", async () => {
  const { schema: published } = await import('@octokit/graphql-schema');
  const schema = buildSchema(published.idl, { assumeValid: true, assumeValidSDL: true });

  test('each GraphQL query of the action, with its variables, is valid by the schema of GitHub', async () => {
    const sent = new Set<string>();
    for (const row of ROWS) {
      const { bodies } = await asked(row, FORBIDDEN);
      for (const { query, variables } of bodies.map(Object).filter((body) => 'query' in body)) {
        const document = parse(query);
        const [operation] = document.definitions as readonly OperationDefinitionNode[];
        expect(validate(schema, document), row.reader).toEqual([]);
        expect(
          getVariableValues(schema, operation?.variableDefinitions ?? [], variables),
          row.reader,
        ).toEqual({
          variableValues: expect.anything(),
        });
        sent.add(query.slice(0, query.indexOf('\n')));
      }
    }
    // The first lines of the queries in the source.
    const source = path.resolve(import.meta.dirname, '../../../src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const written = files.flatMap(
      (file) => readFileSync(path.join(source, file), 'utf8').match(/(?<=`)query\b.*$/gm) ?? [],
    );
    expect([...sent].sort()).toEqual(written.sort());
  });

  test('the schema of the fake GitHub is a part of the schema of GitHub', () => {
    expect(findBreakingChanges(githubSchema(), schema).map(({ description }) => description)).toEqual([]);
  });
});

describe.each(ROWS.map((row) => [row.reader, row] as const))('%s', (_reader, row) => {
  test.each(ODD_ANSWERS)(`${row.reader} returns an error if %s`, async (_what, reply, kind, sends) => {
    const { result, requests } = await asked(row, reply);
    expect(kindOf(result)).toBe(kind);
    expect(requests).toHaveLength((row.first ?? []).length + sends);
    expect(new Set(requests.slice(-sends)).size).toBe(1);
  });

  test(`${row.reader} returns an error if the answer is malformed or says that nothing is there`, async () => {
    for (const [what, body] of row.malformed)
      expect(kindOf((await asked(row, [200, body])).result), what).toBe('invalid');
    const { result } = await asked(row, NOT_FOUND);
    expect(result.ok).toBe(row.absent !== undefined);
  });

  test(`${row.reader} sends no request if the run is stopped`, async () => {
    const { result, requests } = await asked(row, [200, {}], AbortSignal.abort());
    expect(kindOf(result)).toBe('stopped');
    expect(requests).toEqual([]);
  });
});
