import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Intercept } from '../../sandbox/github/faults.ts';
import type { GitHubOptions } from '../../sandbox/github/server.ts';
import { type JsonObject, objectAt } from '../../sandbox/json.ts';
import { analyze } from '../../sandbox/scan-service/analyzer/analyze.ts';
import { openRepository } from '../scenarios/repository.ts';
import { openEnvironment } from '../support/driver/environment.ts';
import { everythingWritten } from '../support/driver/secrecy.ts';
import type { SharedRepository } from '../support/shared-repository.ts';

/** The proof of concept of every finding. It is a single word, so that every output writes it in one piece. */
const PROOF = 'zqxproofofconceptzqx';

let repository: SharedRepository;
beforeAll(async () => {
  repository = await openRepository();
});

/**
 * Removes these members of the repository from the payload. GitHub Enterprise Server or an old event may not send them.
 */
function without(payload: JsonObject, ...names: readonly string[]): JsonObject {
  const members = Object.entries(objectAt(payload, 'repository')).filter(([name]) => !names.includes(name));
  return { ...payload, repository: Object.fromEntries(members) };
}

/** Runs the action, which writes to every output. Returns the places where the proof of concept can be read. */
async function placesOfProof(
  visibility: 'public' | 'private',
  permissions: 'write' | 'none',
  change: (payload: JsonObject) => JsonObject = (payload) => payload,
  github: Partial<GitHubOptions> = {},
): Promise<string[]> {
  const workspace = await mkdtemp(path.join(tmpdir(), 'scangate-public-'));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  const environment = await openEnvironment({
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    visibility,
    github: {
      permissions: { contents: 'read', checks: permissions, 'pull-requests': permissions },
      ...github,
    },
    service: {
      pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
      analyze: async (target) => {
        const analysis = await analyze(target);
        const vulnerabilities = analysis.vulnerabilities.map((vulnerability) => ({
          ...vulnerability,
          proof: { kind: 'POC', text: PROOF } as const,
        }));
        return { ...analysis, vulnerabilities };
      },
    },
  });
  onTestFinished(() => environment.close());
  const run = await environment.run({
    workspace,
    event: { name: 'pull_request', payload: change(environment.pullRequestPayload()) },
    inputs: { 'sarif-file': 'scan.sarif', 'report-file': 'scan.json', publish: 'always', comment: 'always' },
  });
  expect(run.outputs).toMatchObject({ outcome: 'blocked', 'findings-blocking': '2' });
  expect(run.outputs['sarif-file']).not.toBe('');
  const written = everythingWritten(environment, run, [workspace]);
  return [...written].flatMap(([place, text]) => (text.includes(PROOF) ? [place] : [])).sort();
}

test('a run in a private repository writes a proof of concept to GitHub, the job summary and the files', async () => {
  expect(await placesOfProof('private', 'write')).toEqual([
    'requests to GitHub',
    'scan.json',
    'scan.sarif',
    'summary',
  ]);
});

test.each(['write', 'none'] as const)(
  'in a public repository, a run with `%s` permissions writes no proof of concept to any output',
  async (may) => {
    expect(await placesOfProof('public', may)).toEqual([]);
  },
);

const GRAPHQL_FAILS: Intercept = ({ point }) =>
  point === 'graphql'
    ? { status: 403, body: { message: 'Resource not accessible by integration' } }
    : undefined;

test.each<[how: string, intercept: Intercept | undefined]>([
  ['GraphQL', undefined],
  ['REST', GRAPHQL_FAILS],
])(
  'a run in a repository that became public after the event writes no proof of concept: %s',
  async (_, intercept) => {
    const github = { visibility: 'public', ...(intercept && { intercept }) } as const;
    expect(await placesOfProof('private', 'write', undefined, github)).toEqual([]);
  },
);

test('a run in a repository that became private after the event writes no proof of concept', async () => {
  expect(await placesOfProof('public', 'write', undefined, { visibility: 'private' })).toEqual([]);
});

test('a run in a repository of unknown visibility writes no proof of concept to any output', async () => {
  const silent = (payload: JsonObject) => without(payload, 'visibility', 'private');
  expect(await placesOfProof('private', 'write', silent)).toEqual([]);
});

/**
 * Runs the action, which ends because of an error of the service. Returns the places where the error message can be
 * read.
 */
async function placesOfMessage(
  visibility: 'public' | 'private',
  point: string,
  [status, code]: readonly [status: number, code: string],
  github: Partial<GitHubOptions> = {},
): Promise<string[]> {
  const message = 'zqxmessageoftheservicezqx';
  const environment = await openEnvironment({
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    visibility,
    github,
    service: {
      intercept: (exchange) =>
        exchange.point === point ? { status, body: { error: { code, message } } } : undefined,
    },
  });
  onTestFinished(() => environment.close());
  const run = await environment.run({
    event: { name: 'pull_request', payload: environment.pullRequestPayload() },
    inputs: { comment: 'always' },
  });
  expect(run.outputs).toMatchObject({ outcome: 'not-scanned' });
  expect(run.log).toContain(`\`${code}\``);
  expect(run.summary).toContain(code);
  const written = await everythingWritten(environment, run, []);
  return [...written].flatMap(([place, text]) => (text.includes(message) ? [place] : [])).sort();
}

const REFUSALS = [
  [500, 'internal'],
  [403, 'forbidden'],
] as const;

test.each(
  ['repositories', 'scans.launch', 'findings.list'].flatMap((point) =>
    REFUSALS.map((refusal) => [point, ...refusal] as const),
  ),
)(
  "a run in a public repository hides the service's error message if the request `%s` gets the status %i",
  async (point, ...refusal) => {
    expect(await placesOfMessage('private', point, refusal)).toContain('log');
    expect(await placesOfMessage('public', point, refusal)).toEqual([]);
    // The repository became public after the event.
    expect(await placesOfMessage('private', point, refusal, { visibility: 'public' })).toEqual([]);
  },
);
