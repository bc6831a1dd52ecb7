import { onTestFinished } from 'vitest';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import type { ScanServiceOptions } from '../../../sandbox/scan-service/options.ts';
import { startFakeScanService } from '../../../sandbox/scan-service/server.ts';
import { sharedRepository } from '../../support/shared-repository.ts';
import { at } from '../play.ts';

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
    { name: 'textOnly', parents: ['base'], files: { 'notes.txt': 'two\n' } },
    { name: 'sameAsBase', files: { 'notes.txt': 'one\n' } },
  ],
  branches: { main: 'base', feature: 'vulnerable', text: 'sameAsBase' },
};

export type Harness = Awaited<ReturnType<typeof start>>;

/** Starts a fake service of the repository `acme/shop`. It is closed after the test. */
export async function start(
  { repositories = [{}], ...options }: Options = {},
  description: FixtureDescription = SAMPLE,
) {
  const repository = await sharedRepository(description);
  const service = await startFakeScanService({
    repositories: repositories.map((one) => ({
      owner: 'acme',
      name: 'shop',
      gitDir: repository.dir,
      ...one,
    })),
    ...options,
  });
  onTestFinished(() => service.close());
  /**
   * Calls a path of the project, or a path such as `/token` below `/api/v1`, where `{project}` stands for the id of the
   * project. The text of a body is sent as it is.
   */
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const place = path.startsWith('/') ? path : `/projects/{project}/${path}`;
    const response = await fetch(`${service.baseUrl}${place.replace('{project}', service.project.id)}`, {
      method,
      headers: {
        authorization: `Bearer ${service.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const parsed: unknown = await response.json();
    return { status: response.status, headers: response.headers, body: parsed };
  };
  const launchBody = (over: object = {}) => ({
    ...{ presetRef: 'diff-review', repositoryId: service.repositories[0]?.id, creditBudget: 20 },
    ...{ baseCommit: repository.id('base'), commit: repository.id('vulnerable'), ...over },
  });
  return {
    service,
    repository: { ...repository, names: description.commits.map(({ name }) => name) },
    call,
    /** The body of a launch that the service accepts. The members of `over` replace its members. */
    launchBody,
    /** Launches a scan, and returns its id. */
    async launch(over?: object) {
      const reply = await call('POST', 'scans', launchBody(over));
      if (reply.status !== 202) throw new Error(`the launch was refused: ${JSON.stringify(reply.body)}`);
      return textAt(reply.body, 'scanId');
    },
    /** Reads a scan until it is terminal. */
    async finish(scanId: string) {
      for (let reads = 0; reads < 20; reads += 1) {
        const { body } = await call('GET', `scans/${scanId}`);
        if (/^(?:COMPLETED|FAILED|CANCELLED)$/.test(textAt(body, 'scan.status'))) return at(body, 'scan');
      }
      throw new Error('the scan did not end');
    },
  };
}

/** The options of a service. A repository needs only what differs from `acme/shop` of the harness. */
export type Options = Partial<Omit<ScanServiceOptions, 'repositories'>> & {
  readonly repositories?: readonly Partial<ScanServiceOptions['repositories'][number]>[];
};

export function textAt(body: unknown, path: string): string {
  const value = at(body, path);
  if (typeof value !== 'string') throw new Error(`no text at ${path} of ${JSON.stringify(body)}`);
  return value;
}

/** The expected form of an error answer. */
export function refused(status: number, code: string): object {
  return { status, body: { error: { code } } };
}
