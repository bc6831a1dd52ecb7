import { onTestFinished } from 'vitest';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import type { ScanServiceOptions } from '../../../sandbox/scan-service/options.ts';
import { type FakeScanService, startFakeScanService } from '../../../sandbox/scan-service/server.ts';
import { type SharedRepository, sharedRepository } from '../../support/shared-repository.ts';

/**
 * A base commit, a commit that adds two vulnerabilities, a commit that changes only a text file, and a commit with the
 * same files as the base.
 */
export const SAMPLE: FixtureDescription = {
  commits: [
    { name: 'base', files: { 'a.js': 'let a;\neval(old);\n', 'notes.txt': 'one\n' } },
    {
      name: 'vulnerable',
      files: { 'a.js': 'let a;\neval(old);\nfunction f(x) { eval(x); }\n', 'b.js': "createHash('md5');\n" },
    },
    { name: 'text-only', parents: ['base'], files: { 'notes.txt': 'two\n' } },
    { name: 'same-as-base', files: { 'notes.txt': 'one\n' } },
  ],
  branches: { main: 'base', feature: 'vulnerable', text: 'same-as-base' },
};

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Harness {
  readonly service: FakeScanService;
  readonly repository: SharedRepository;
  /** Calls a path below `/api/v1`. `{project}` is replaced by the project's id. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** The body of a launch that the service accepts. The members of `over` replace its members. */
  launchBody(over?: Record<string, unknown>): Record<string, unknown>;
  /** Launches a scan, and returns its id. */
  launch(over?: Record<string, unknown>): Promise<string>;
  /** Reads a scan until it is terminal. */
  finish(scanId: string): Promise<unknown>;
}

export async function start(options: Partial<ScanServiceOptions> = {}): Promise<Harness> {
  const repository = await sharedRepository(SAMPLE);
  const service = await startFakeScanService({
    repositories: [{ owner: 'acme', name: 'shop', gitDir: repository.dir }],
    ...options,
  });
  onTestFinished(() => service.close());
  const harness: Harness = {
    service,
    repository,
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${service.baseUrl}${path.replace('{project}', service.project.id)}`, {
        method,
        headers: {
          authorization: `Bearer ${service.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    launchBody: (over = {}) => ({
      presetRef: 'diff-review',
      repositoryId: service.repositories[0]?.id,
      baseCommit: repository.id('base'),
      commit: repository.id('vulnerable'),
      creditBudget: 20,
      ...over,
    }),
    async launch(over) {
      const reply = await harness.call('POST', '/projects/{project}/scans', harness.launchBody(over));
      if (reply.status !== 202) throw new Error(`the launch was refused: ${JSON.stringify(reply.body)}`);
      return textAt(reply.body, 'scanId');
    },
    async finish(scanId) {
      for (let reads = 0; reads < 20; reads += 1) {
        const { body } = await harness.call('GET', `/projects/{project}/scans/${scanId}`);
        if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(textAt(body, 'scan', 'status')))
          return at(body, 'scan');
      }
      throw new Error('the scan did not end');
    },
  };
  return harness;
}

/** Reads a member of a parsed body by its path. */
export function at(body: unknown, ...path: (string | number)[]): unknown {
  let value = body;
  for (const key of path) {
    const record: Record<string | number, unknown> =
      typeof value === 'object' && value !== null ? { ...value } : {};
    value = record[key];
  }
  return value;
}

export function textAt(body: unknown, ...path: (string | number)[]): string {
  const value = at(body, ...path);
  if (typeof value !== 'string') throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(body)}`);
  return value;
}

/** The expected form of an error answer. */
export function refused(status: number, code: string): object {
  return { status, body: { error: { code, message: expectText } } };
}

const expectText: unknown = {
  asymmetricMatch: (value: unknown) => typeof value === 'string' && value.length > 10,
};
