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
import { answering, type Reply } from '../../support/answering.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { outcomes } from '../../support/outcomes.ts';
import { changes } from '../../support/shown.ts';
import { API, client } from './client.ts';
import { bodyOf, plain, resultOf } from './conversation.ts';
import { PULL_REQUEST_READERS } from './readers/pull-requests.ts';
import type { Reader } from './readers/reader.ts';
import { REPOSITORY_READERS } from './readers/repository.ts';
import { WORKFLOW_RUN_READERS } from './readers/workflow-runs.ts';

const READERS: readonly Reader[] = [...REPOSITORY_READERS, ...PULL_REQUEST_READERS, ...WORKFLOW_RUN_READERS];

/** Answers that are failures for most readers, and the kind of the error. */
const FAILURES: readonly (readonly [what: string, kind: string, reply: Reply])[] = [
  ['status 401', 'unauthorized', [401, { message: 'Bad credentials' }]],
  ['status 403', 'forbidden', [403, { message: 'Resource not accessible by integration' }]],
  ['status 404', 'not-found', [404, { message: 'Not Found' }]],
  ['status 422', 'refused', [422, { message: 'Invalid request.' }]],
  ['status 502', 'unreachable', [502, 'Bad Gateway']],
  ['HTML', 'invalid', [200, '<html>sign in</html>']],
];

let exchange = answering([], API);
/** The client of all readers. */
const GITHUB = client({ fetch: (...request) => exchange.fetch(...request) });

/** Runs the reader. Its first requests get the answers of `first`. The next request gets `reply`. */
async function asked(reader: Reader, reply: Reply, signal = NEVER_ABORTED) {
  const { first = [], later = [reply, reply], read } = reader;
  const isRepeated = reply[0] >= 500 || typeof reply[1] === 'string';
  exchange = answering([...first, ...Array(isRepeated ? 3 : 1).fill(reply), ...later], API);
  const { asked, bodies } = exchange;
  const result = await read(GITHUB.until(signal));
  return { result, requests: asked.map((request, index) => plain(request) + bodyOf(bodies[index])), bodies };
}
type Asked = Awaited<ReturnType<typeof asked>>;

/** The kind of an error of the client. A reader may wrap the error. */
function kindOf({ result }: Asked): unknown {
  const { kind, error }: { kind?: unknown; error?: { kind?: unknown } } = Object(
    result.ok ? {} : result.error,
  );
  return error?.kind ?? kind;
}

/** Shows how the value differs from the value of the valid answer, and which other requests follow. */
function outcome(base: Asked, now: Asked): string {
  const others = now.requests.filter((request) => !base.requests.includes(request));
  const isShorter = now.requests.length < base.requests.length;
  const next = others.length > 0 ? `, asks ${others.join(', ')}` : isShorter ? ', asks no more' : '';
  if (!now.result.ok) return `error ${kindOf(now)}${next}`;
  const [before, after] = [base, now].map(({ result }) => byMember(result.ok && result.value));
  return plain(changes(before, after).join('; ').replace(/^: /, '') || 'the same') + next;
}

/** The value with an object in place of each map, and of each list that is not empty. */
function byMember(value: unknown): unknown {
  if (value instanceof Map) return byMember(Object.fromEntries(value));
  if (Buffer.isBuffer(value)) return value.toString();
  const isPlain = typeof value === 'object' && value !== null && !(value instanceof Date);
  if (!isPlain || (Array.isArray(value) && value.length === 0)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, byMember(member)]));
}

/** The requests and the value of a valid answer, and what the reader makes of each other answer. */
async function described(reader: Reader): Promise<string> {
  const { name, answer, others = [] } = reader;
  const base = await asked(reader, [200, answer]);
  const lines = await outcomes(answer, others, async (other) =>
    outcome(base, await asked(reader, [200, other])),
  );
  for (const [what, kind, reply] of FAILURES) {
    const now = await asked(reader, reply);
    if (kindOf(now) !== kind) lines.push(`${outcome(base, now)} if ${what}`);
    else if (kind === 'forbidden') lines.push(resultOf(now.result));
  }
  const shorter = lines.map((line) => plain(line).replaceAll('data.repository.', ''));
  return [`${name}:`, ...base.requests, `= ${resultOf(base.result)}`, ...shorter].join('\n  ');
}

test('each reader asks for one thing, and reads what GitHub documents', async () => {
  const lines: string[] = [];
  for (const reader of READERS) lines.push(await described(reader));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/readers.txt');
});

test('a reader sends no request if the run is stopped', async () => {
  for (const reader of READERS) {
    const stopped = await asked(reader, [200, {}], AbortSignal.abort());
    expect([kindOf(stopped), stopped.requests], reader.name).toEqual(['stopped', []]);
  }
});

describe("GitHub's GraphQL schema", async () => {
  const { schema: published } = await import('@octokit/graphql-schema');
  const schema = buildSchema(published.idl, { assumeValid: true, assumeValidSDL: true });

  test('each GraphQL query of the action, with its variables, is valid by the schema of GitHub', async () => {
    const sent = new Set<string>();
    for (const reader of READERS) {
      const { bodies } = await asked(reader, [403, {}]);
      for (const { query, variables } of bodies.map(Object).filter((body) => 'query' in body)) {
        const document = parse(query);
        const [operation] = document.definitions as readonly OperationDefinitionNode[];
        const read = getVariableValues(schema, operation?.variableDefinitions ?? [], variables);
        expect(validate(schema, document), reader.name).toEqual([]);
        expect(read, reader.name).toEqual({ variableValues: expect.anything() });
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
