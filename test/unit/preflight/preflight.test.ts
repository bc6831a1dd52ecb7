import { describe, expect, test } from 'vitest';
import type { Preset, ProjectRepository, TokenInformation } from '../../../src/domain/project.ts';
import { ok } from '../../../src/domain/result.ts';
import type { ListedScan, ScanList } from '../../../src/domain/scan.ts';
import { chooseProject, preflight, type Wanted } from '../../../src/preflight/preflight.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, refused, stopped, unreachable } from '../scan/fake-api.ts';

const CHOSEN: readonly [string, Parameters<typeof chooseProject>, string][] = [
  ['the value of `project-id` if the token was not read', ['p1', undefined], 'p1'],
  ['the value of `project-id` if the token shows no project', ['p1', { projectId: undefined }], 'p1'],
  ['the value of `project-id` if the token shows the same project', ['p1', { projectId: 'p1' }], 'p1'],
  ['the project of the token if `project-id` is empty', [undefined, { projectId: 'p2' }], 'p2'],
];

const REFUSED: readonly [string, Parameters<typeof chooseProject>, RegExp, RegExp][] = [
  ['no input and no token', [undefined, undefined], /does not show which project/, /^Set `project-id`/],
  ['a token without a project', [undefined, { projectId: undefined }], /does not show/, /^Set `project-id`/],
  [
    'a token of another project',
    ['p1', { projectId: 'p2' }],
    /to project `p2`, but `project-id` is `p1`/,
    /^Fix or/,
  ],
  ['two dots as the project id', ['..', { projectId: undefined }], /not a valid id/, /^Copy the id/],
  ['two dots as the project id without a token', ['..', undefined], /not a valid id/, /^Copy the id/],
  [
    'two dots as the project id and a token of another project',
    ['..', { projectId: 'p2' }],
    /not a valid id/,
    /^Copy the id/,
  ],
  [
    'a project id of 257 characters',
    ['x'.repeat(257), { projectId: undefined }],
    /not a valid id/,
    /^Copy the id/,
  ],
];

describe('the project', () => {
  test.each(CHOSEN)('the project of a run is %s', (_which, asked, projectId) => {
    expect(chooseProject(...asked)).toEqual({ ok: true, value: projectId });
  });

  test.each(REFUSED)('chooseProject returns a configuration error for %s', (_why, asked, cause, nextStep) => {
    expect(chooseProject(...asked)).toEqual({
      ok: false,
      error: {
        reason: 'configuration',
        cause: expect.stringMatching(cause),
        nextStep: expect.stringMatching(nextStep),
      },
    });
  });
});

const token: TokenInformation = {
  projectId: 'p',
  scopes: ['read', 'scans:launch'],
  expiresAt: undefined,
  spendLimit: undefined,
};
const repository: ProjectRepository = {
  id: 'r',
  owner: 'acme',
  name: 'shop',
  url: 'https://github.com/acme/shop',
  status: 'ACTIVE',
  readiness: 'analyzing',
};
const preset: Preset = { ref: 'diff', name: 'Diff', minCredits: 10 };
const wanted: Wanted = {
  scanKind: 'diff',
  projectId: 'p',
  repositoryId: undefined,
  preset: undefined,
  creditBudget: undefined,
  launchParameters: readLaunchParameters({}),
  willPublish: false,
  owner: 'acme',
  name: 'shop',
  serverUrl: 'https://github.com',
};

type Tokens = Parameters<typeof answers<TokenInformation>>[number];
type Lists = Parameters<typeof answers<readonly ProjectRepository[]>>[number];
type Scans = Parameters<typeof answers<ScanList>>[number];
type Presets = Parameters<typeof answers<readonly Preset[]>>[number];

const unseen = {
  status: undefined,
  repositoryId: undefined,
  presetRef: undefined,
  baseSha: undefined,
  headSha: undefined,
  createdAt: undefined,
  creditBudget: undefined,
  areas: undefined,
  guidance: undefined,
};
const listOf = (...ids: ListedScan['id'][]) =>
  ok({ scans: ids.map((id) => ({ ...unseen, id })), complete: true });

function run(
  answered: { token?: Tokens; repositories?: Lists; presets?: Presets; scans?: Scans } = {},
  inputs: Partial<Wanted> = {},
) {
  const api = {
    token: answers<TokenInformation>(answered.token ?? ok(token)),
    repositories: answers<readonly ProjectRepository[]>(answered.repositories ?? ok([repository])),
    presets: answers<readonly Preset[]>(answered.presets ?? ok([preset])),
    scans: answers<ScanList>(answered.scans ?? listOf('s2', 's1')),
  };
  const clock = new FakeClock({ date: new Date('2026-03-01T00:00:00Z') });
  const signal = NEVER_ABORTED;
  const askToken = () => api.token({ signal });
  return { api, result: preflight({ api, askToken, clock, signal }, { ...wanted, ...inputs }) };
}

async function fault(...parameters: Parameters<typeof run>) {
  const result = await run(...parameters).result;
  if (result.ok) throw new Error('the preflight found no fault');
  return result.error;
}

describe('the preflight', () => {
  test('the preflight returns everything that a launch needs', async () => {
    expect(await run().result).toEqual({
      ok: true,
      value: {
        projectId: 'p',
        repository,
        preset,
        creditBudget: 10,
        token,
        scans: listOf('s2', 's1'),
        warnings: [],
      },
    });
  });

  test('the preflight sends all four requests at the same time if `project-id` is set', async () => {
    const { api, result } = run();
    // The preflight sends all four requests before it waits for an answer.
    const asked = [api.token, api.repositories, api.presets, api.scans];
    expect(asked.map(({ calls }) => calls.length)).toEqual([1, 1, 1, 1]);
    expect((await result).ok).toBe(true);
  });

  test('without `project-id`, the preflight uses the project of the token', async () => {
    const { api, result } = run({ token: ok({ ...token, projectId: 'other' }) }, { projectId: undefined });
    expect(api.repositories.calls).toEqual([]);
    expect(await result).toMatchObject({ ok: true, value: { projectId: 'other' } });
    expect(api.repositories.calls).toEqual([['other', { signal: NEVER_ABORTED }]]);
    expect(api.presets.calls).toEqual([['other', { signal: NEVER_ABORTED }]]);
  });

  test('the preflight asks the user for `project-id` if the token shows no project', async () => {
    const error = await fault({ token: ok({ ...token, projectId: undefined }) }, { projectId: undefined });
    expect(error).toMatchObject({ reason: 'configuration' });
    expect(error.nextStep).toContain('`project-id`');
  });

  test.each(['..', 'x'.repeat(257), 'a\u0000b'])(
    'the preflight sends no request for an invalid project: %j',
    async (projectId) => {
      const { api, result } = run({}, { projectId });
      expect(await result).toMatchObject({ ok: false, error: { reason: 'configuration' } });
      expect(api.token.calls).toEqual([]);
    },
  );
});

describe('the token', () => {
  const unauthorized = refused(401, 'unauthorized', { operation: 'check the API token' });

  test('a refused token is reported once', async () => {
    const everything = { token: unauthorized, repositories: unauthorized, presets: unauthorized };
    for (const projectId of ['p', undefined]) {
      const error = await fault(everything, { projectId });
      expect(error).toMatchObject({ reason: 'configuration' });
      expect(error.cause.match(/api-token/g)).toHaveLength(1);
    }
  });

  test('a token that cannot be read causes an error only if `project-id` is empty', async () => {
    const lost = { token: unreachable('unknown', 'reset') };
    const read = await run(lost).result;
    expect(read).toMatchObject({ ok: true, value: { token: undefined } });
    expect(read.ok && read.value.warnings).toHaveLength(1);
    expect(await fault(lost, { projectId: undefined })).toMatchObject({ reason: 'service-error' });
  });

  test('a token of the wrong project causes an error that names both projects', async () => {
    const gone = refused(404, 'not_found');
    const error = await fault({ token: ok({ ...token, projectId: 'q' }), repositories: gone, presets: gone });
    expect(error).toMatchObject({ reason: 'configuration' });
    expect(error.cause).toMatch(/project `q`.*`project-id` is `p`/);
  });

  test.each([
    [['read'], false, ['scans:launch']],
    [['scans:launch'], false, ['read']],
    [['read', 'scans:launch'], true, ['publish']],
    [[], true, ['read', 'scans:launch', 'publish']],
    [['read', 'scans:launch'], false, []],
    [undefined, true, []],
  ])(
    'the preflight names the missing scopes: token %j, publishing %s, missing %j',
    async (scopes, willPublish, missing) => {
      const result = await run({ token: ok({ ...token, scopes }) }, { willPublish }).result;
      expect(result.ok).toBe(missing.length === 0);
      const said = result.ok ? '' : JSON.stringify(result.error);
      for (const scope of missing)
        expect(said).toContain(`Ask a project admin of the service for a token with the \`${scope}\` scope`);
    },
  );

  test('a token without the scope `read` causes only one error', async () => {
    const forbidden = refused(403, 'forbidden', { operation: 'list the presets' });
    const error = await fault({
      token: ok({ ...token, scopes: ['scans:launch'] }),
      repositories: forbidden,
      presets: forbidden,
    });
    expect(error.cause.match(/scope/g)).toHaveLength(1);
    expect(error.problems).toBeUndefined();
  });

  test.each([
    ['2026-03-08T00:00:00Z', /expires on 2026-03-08/],
    ['2026-02-28T00:00:00Z', /expired on 2026-02-28/],
    ['2026-03-08T00:00:01Z', undefined],
    ['not a date', undefined],
  ])(
    'a token causes a warning only if it expires within a week or has expired: %s',
    async (expiresAt, notice) => {
      const result = await run({ token: ok({ ...token, expiresAt }) }).result;
      const warnings = result.ok ? result.value.warnings : ['a fault'];
      expect(warnings).toHaveLength(notice === undefined ? 0 : 1);
      if (notice !== undefined) expect(warnings[0]).toMatch(notice);
    },
  );
});

describe('errors', () => {
  test('errors about the repository and the preset are listed together', async () => {
    const error = await fault({ repositories: ok([]), presets: ok([]) });
    expect(error.reason).toBe('configuration');
    expect(error.cause).toBe('Scangate found 2 problems.');
    expect(error.problems).toEqual([
      expect.stringMatching(/does not list the repository.*`repository-id`/),
      expect.stringMatching(/no preset.*add one/),
    ]);
  });

  test('two requests that fail for the same cause are reported as one error', async () => {
    const away = unreachable('no', 'refused');
    expect((await fault({ repositories: away, presets: away })).cause.match(/Could not/g)).toHaveLength(1);
  });

  test('errors that a person has to fix come before temporary errors', async () => {
    const error = await fault({ repositories: unreachable('no', 'refused'), presets: ok([]) });
    expect(error).toMatchObject({ reason: 'configuration' });
    expect(JSON.stringify(error)).not.toContain('refused');
  });

  test('the preflight reports a credit budget that is too small', async () => {
    expect((await fault({}, { creditBudget: 9 })).nextStep).toContain('`credit-budget`');
  });

  test('a stopped preflight reports why it was stopped', async () => {
    const stop = stopped('signal');
    const everything = { token: stop, repositories: stop, presets: stop };
    expect(await fault(everything)).toMatchObject({ reason: 'scan-cancelled', bySignal: true });
  });
});

describe('launch parameters', () => {
  test('a preset and a budget in `launch-parameters` replace the choice of the preflight', async () => {
    const big: Preset = { ref: 'big', name: 'Big', minCredits: 40 };
    const launchParameters = readLaunchParameters({ presetRef: 'big', creditBudget: 45, repositoryId: 'r' });
    const result = await run({ presets: ok([preset, big]) }, { launchParameters, creditBudget: 1 }).result;
    expect(result).toMatchObject({ ok: true, value: { preset: big, creditBudget: 45 } });
    const tooSmall = readLaunchParameters({ creditBudget: 9 });
    expect((await fault({}, { launchParameters: tooSmall })).cause).toContain('below the minimum');
  });

  test('the preflight uses the default for a field that `launch-parameters` sets to null', async () => {
    const launchParameters = readLaunchParameters({
      presetRef: null,
      repositoryId: null,
      creditBudget: null,
    });
    expect(await run({}, { launchParameters, creditBudget: 1, preset: 'gone' }).result).toMatchObject({
      ok: true,
      value: { preset, creditBudget: 10 },
    });
  });

  test('the preflight refuses a launch parameter of the wrong type', async () => {
    const error = await fault({}, { launchParameters: readLaunchParameters({ creditBudget: '9' }) });
    expect(error.cause).toMatch(/`launch-parameters`.*creditBudget/);
  });
});

describe('the existing scans', () => {
  test('the preflight returns every existing scan that the service lists', async () => {
    const scans = listOf('s2', undefined, 's1');
    expect(await run({ scans }).result).toMatchObject({ ok: true, value: { scans } });
  });

  test('a list of existing scans that cannot be read causes no error', async () => {
    const scans = refused(500, 'internal');
    expect(await run({ scans }).result).toMatchObject({ ok: true, value: { scans, warnings: [] } });
  });
});
