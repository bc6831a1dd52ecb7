import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/doctor/diagnose.ts';
import type { Check } from '../../../src/doctor/row.ts';
import { UNTITLED } from '../../../src/domain/finding.ts';
import { err, ok } from '../../../src/domain/result.ts';
import { chooseProject } from '../../../src/preflight/preflight.ts';
import { finding } from '../domain/sample-finding.ts';
import { aScan } from '../scan/fake-api.ts';
import {
  DIFF,
  FULL,
  factsOf,
  type Given,
  GUIDANCE,
  gitHubError,
  HEAD,
  NOW,
  refused,
  requires,
  rowsAbout,
  shownRow,
  workflow,
} from './sample-facts.ts';

const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 60 * 60_000).toISOString();
const PUBLIC = { isPublic: true };
const failure = (reason: 'configuration' | 'service-error') => ({
  reason,
  cause: 'Why.',
  nextStep: 'What to do.',
});
const unreachable = (cause: 'dns' | 'certificate' | 'reset') =>
  ({
    kind: 'unreachable',
    operation: 'check the API token',
    cause,
    sent: 'no',
    detail: 'why',
  }) as const;

test('a healthy setup has no warning and no error', () => {
  expect(diagnose(factsOf()).filter(({ level }) => level !== 'ok')).toEqual([]);
});

/** The rows that the doctor shows for a check, by case. */
const TABLE: Partial<Record<Check, Readonly<Record<string, Given>>>> = {
  Inputs: {
    'valid inputs': {},
    'several errors': {
      inputs: { 'fail-on': 'hihg', 'credit-budget': 'x', 'launch-parameters': '{"commit":null}' },
    },
    'launch parameters of a wrong type': { inputs: { 'launch-parameters': '{"presetRef":7}' } },
    'no head to compare with': { inputs: { 'launch-parameters': '{"commit":null}' }, about: { headSha: '' } },
    'no token and no address': { inputs: { 'api-token': '', 'base-url': '' } },
    'a token of an unknown form': { inputs: { 'api-token': 'secret' } },
    'guidance in a file and in `launch-parameters`': {
      inputs: { 'guidance-file': 'a.md', 'launch-parameters': '{"guidance":"x"}' },
    },
    'no token on the command line': { inputs: { 'api-token': '' }, facts: { isCommandLine: true } },
    'an invalid option on the command line': {
      inputs: { 'fail-on': 'hihg' },
      facts: { isCommandLine: true },
    },
  },
  Address: {
    'an address with TLS': {},
    'an address behind a proxy': { facts: { proxy: { variable: 'HTTPS_PROXY', fault: undefined } } },
    'a proxy that cannot be used': {
      service: 'not asked',
      facts: {
        proxy: {
          variable: 'HTTPS_PROXY',
          fault: { reason: 'configuration', cause: 'Odd.', nextStep: 'Fix.' },
        },
      },
    },
    'a service that was not asked': { service: 'not asked' },
    'a host name that does not exist': { token: unreachable('dns') },
    'a certificate that is not trusted': { token: unreachable('certificate') },
    'a connection that is reset': { token: unreachable('reset') },
    'a login page instead of the API': {
      token: {
        kind: 'invalid',
        operation: 'check the API token',
        status: 200,
        problem: 'not-json',
        detail: 'text',
        retryAfterSeconds: undefined,
      },
    },
    'a check that reached the time limit': {
      token: { kind: 'stopped', operation: 'check the API token', sent: 'no', by: 'timeout' },
    },
    'a refusal in JSON': { token: refused(401, 'unauthorized') },
  },
  Token: {
    'an accepted token': {},
    'a service that was not asked': { service: 'not asked' },
    'a rejected token': { token: refused(401, 'unauthorized') },
    'an internal error': { token: refused(500, 'internal') },
    'no connection': { token: unreachable('dns') },
    'an expiry in 40 days': { token: { expiresAt: inDays(40.5) } },
    'an expiry in one day': { token: { expiresAt: inDays(1.5) } },
    'an expiry in the past': { token: { expiresAt: inDays(-1) } },
    'a text that is not a date': { token: { expiresAt: 'soon' } },
    'an expiry in 40 days, in a public repository': { about: PUBLIC, token: { expiresAt: inDays(40) } },
    'an expiry in three days, in a public repository': { about: PUBLIC, token: { expiresAt: inDays(3) } },
  },
  Project: {
    'the project of the token': {},
    'the project of another token': { service: { projectId: chooseProject('p1', { projectId: 'p2' }) } },
    'an unknown project': { service: { projectId: undefined } },
    'a project that the service does not show': {
      service: {
        projectId: { ok: false, error: { reason: 'configuration', cause: 'No.', nextStep: 'Set it.' } },
      },
    },
  },
  Scopes: {
    'all scopes': {},
    'the scope to publish': { inputs: { publish: 'always' } },
    'missing scopes': { inputs: { publish: 'always' }, token: { scopes: ['read'] } },
    'scopes that the service does not show': { token: { scopes: undefined } },
  },
  'Spend limit': {
    'no limit': {},
    'a limit that covers a scan': { token: { spendLimit: 20 } },
    'a limit below the budget': { token: { spendLimit: 19 } },
    'a limit of 0': { token: { spendLimit: 0 }, presets: [] },
    'a limit, in a public repository': { about: PUBLIC, token: { spendLimit: 77 } },
    'no limit, in a public repository': { about: PUBLIC },
    'a limit below the budget, in a public repository': { about: PUBLIC, token: { spendLimit: 7 } },
  },
  Allowlist: {
    'no allowlist': {},
    'an allowlist with this repository': { token: { allowlist: ['r1', 'r2', 'r3'] } },
    'an allowlist with this repository, which is public': {
      about: PUBLIC,
      token: { allowlist: ['r1', 'r2'] },
    },
    'an allowlist without this repository': { about: { name: 'till' }, token: { allowlist: ['r1'] } },
    'no allowlist, and an unknown repository': { about: { name: 'till' } },
    'lists of the service that were not read': { service: { lists: undefined } },
  },
  Repository: {
    'a repository in the list': {},
    'a repository that is not in the list': { about: { name: 'till' } },
    'a repository that is marked for deletion': { repository: { status: 'MARKED_FOR_DELETION' } },
    'a repository that is still analyzed': { repository: { readiness: 'analyzing' } },
    'another repository in `launch-parameters`': { inputs: { 'launch-parameters': '{"repositoryId":"r9"}' } },
  },
  Preset: {
    'two presets': {},
    'presets that were not read': { service: { lists: undefined } },
  },
  'Pull request': {
    'a preset that is chosen by its kind': {},
    'no diff preset': { presets: [FULL] },
    'a full preset in the input': { inputs: { preset: 'full' } },
  },
  Schedule: {
    'a preset that is chosen by its kind': {},
    'only a diff preset': { presets: [DIFF] },
    'a diff preset in the input': { inputs: { preset: 'diff' } },
  },
  Budget: {
    'a budget for each preset': {},
    'a budget below the minimum': { inputs: { 'credit-budget': '19' }, presets: [DIFF] },
    'a budget below the minimum of a full scan': {
      inputs: { 'credit-budget': '30' },
      presets: [DIFF, { ...FULL, minCredits: 200 }],
    },
    'no preset': { presets: [] },
  },
  'Scan list': {
    'scans with all members': {},
    'a scan without its time': { scan: { createdAt: undefined } },
    'a scan with its time only': {
      scan: {
        id: undefined,
        headSha: undefined,
        baseSha: undefined,
        presetRef: undefined,
        repositoryId: undefined,
      },
    },
    'no scans': { service: { lists: undefined, scan: undefined } },
  },
  'Scan detail': {
    'a scan with all members': {},
    'a scan without its commits': { service: { scan: { ok: true, value: aScan('COMPLETED') } } },
    'a full scan, which shows that it has no base': { scan: { baseSha: null } },
    'an internal error of the service': { service: { scan: { ok: false, error: refused(500, 'internal') } } },
    'a refusal': { service: { scan: { ok: false, error: refused(403, 'forbidden') } } },
    'no scan with an id': { service: { scan: undefined } },
  },
  Findings: {
    'a refusal': { service: { findings: { ok: false, error: refused(403, 'forbidden') } } },
    'a rate limit': { service: { findings: { ok: false, error: refused(429, 'rate_limited') } } },
    'findings with all members': {},
    'no findings': { findings: [] },
    'findings with their ids only': {
      findings: [finding({ title: UNTITLED, severity: 'SEVERE' }), finding({ severity: '' })],
    },
  },
  'Launch request': {
    'all members of a launch': {},
    'a launch with `launch-parameters`': {
      inputs: {
        'launch-parameters': JSON.stringify({ guidance: 'Look at the login.', depth: 7, creditBudget: null }),
      },
    },
    'a launch with a guidance file': { facts: { guidance: { ...GUIDANCE, stored: ok(null) } } },
    'a launch without a preset': { presets: [] },
  },
  Guidance: {
    'no `guidance-file`': {},
    'a file and the stored guidance': { facts: { guidance: { ...GUIDANCE, stored: ok('Stored.') } } },
    'a file that is not there': { facts: { guidance: { ...GUIDANCE, file: err(failure('configuration')) } } },
    'a file that could not be read': {
      facts: { guidance: { ...GUIDANCE, file: err(failure('service-error')) } },
    },
    'a stored text that may not be read': {
      facts: { guidance: { ...GUIDANCE, stored: err(failure('configuration')) } },
    },
    'a file and stored guidance that are too long together': {
      facts: { guidance: { ...GUIDANCE, stored: ok('x'.repeat(100_000)) } },
    },
    'a file that was not read': { facts: { guidance: { ...GUIDANCE, file: undefined } } },
    'no repository in the service': { facts: { guidance: { ...GUIDANCE, stored: undefined } } },
  },
  Comparison: {
    'a comparison that can be read': {},
    'no token for GitHub': { github: 'not asked' },
    'a missing permission': {
      github: {
        comparison: { ok: false, error: { kind: 'unavailable', error: gitHubError('forbidden') } },
      },
    },
    'no token in a workflow': { github: 'not asked' },
    'no token on the command line': { github: 'not asked', facts: { isCommandLine: true } },
    'GitHub out of reach': { github: { defaultBranch: { ok: false, error: gitHubError('unreachable') } } },
    'a default branch that is not as documented': {
      github: { branch: { ok: false, error: gitHubError('invalid') } },
    },
    'a rate limit': {
      github: {
        comparison: { ok: false, error: { kind: 'unavailable', error: gitHubError('rate-limited') } },
      },
    },
    'unrelated commits': { github: { comparison: { ok: false, error: { kind: 'no-common-ancestor' } } } },
    'a check that reached the time limit': {
      github: { comparison: { ok: false, error: { kind: 'stopped' } } },
    },
  },
  'Check runs': {
    'GitHub out of reach': { github: { checkRuns: { ok: false, error: gitHubError('unreachable') } } },
    'check runs that can be read': {},
    'a missing permission': { github: { checkRuns: { ok: false, error: gitHubError('forbidden') } } },
  },
  'Required check': {
    'a required job `lint / scangate`, which is not the job of the gate': {
      github: { rules: { ok: true, value: { rules: [requires('lint / scangate')], complete: true } } },
    },
    'a workflow that a ruleset requires': {
      github: { rules: { ok: true, value: { rules: [{ type: 'workflows' }], complete: true } } },
    },
    'rules of an unknown form': {
      github: {
        rules: {
          ok: true,
          value: { rules: [{ type: 'required_status_checks', parameters: {} }], complete: true },
        },
      },
    },
    'workflows that were not all read': {
      github: {
        rules: { ok: true, value: { rules: [requires('test')], complete: true } },
        workflows: { ok: true, value: { files: [workflow()], complete: false } },
      },
    },
    'the check run of the gate': {
      github: { rules: { ok: true, value: { rules: [requires('Security scan')], complete: true } } },
    },
    'no required check of the gate': {
      github: { rules: { ok: true, value: { rules: [requires('test')], complete: true } } },
    },
    'required checks that GitHub does not show': {
      github: {
        rules: { ok: true, value: { rules: [], complete: true } },
        branch: { ok: true, value: { sha: HEAD, isProtected: true, requiredChecks: undefined } },
      },
    },
    'no workflow': { github: { workflows: { ok: true, value: { files: [], complete: true } } } },
    'rules that were not read': { github: { rules: { ok: false, error: gitHubError('forbidden') } } },
    'workflows that were not read': {
      github: { workflows: { ok: false, error: gitHubError('unreachable') } },
    },
  },
  'Merge queue': {
    'a gate that does not run on `merge_group`': {
      github: { rules: { ok: true, value: { rules: [{ type: 'merge_queue' }], complete: true } } },
    },
  },
};

test('the rows of the doctor match their golden file', async () => {
  const lines = (Object.keys(TABLE) as Check[]).flatMap((check) => [
    `=== ${check}`,
    ...Object.entries(TABLE[check] ?? {}).flatMap(([what, given]) => [
      `${what}:`,
      ...rowsAbout(check, given).map((row) => `  ${row}`),
    ]),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/diagnose.txt');
});

describe('a list that was refused', () => {
  const error = { ok: false, error: refused(404, 'not_found') } as const;
  const { service } = factsOf();
  const lists = service?.lists;

  test('the doctor shows a warning for a refused list of scans, and an error for any other refused list', () => {
    if (lists === undefined) throw new Error('the sample has no lists');
    const of = (check: Check, changed: Partial<typeof lists>) =>
      rowsAbout(check, { service: { lists: { ...lists, ...changed } } });
    expect(of('Repository', { repositories: error })).toEqual([
      expect.stringMatching(/^error: .* \[Project/),
    ]);
    expect(of('Preset', { presets: error })).toEqual([expect.stringMatching(/^error: .* \[Project/)]);
    expect(of('Scan list', { scans: error })).toEqual([expect.stringMatching(/^warning: .* \[Project/)]);
    const malformed = {
      ok: true,
      value: [DIFF, { fault: '`presets.1.ref` is missing', readable: {} }],
    } as const;
    expect(of('Preset', { presets: malformed })).toContainEqual(
      expect.stringMatching(/^warning: .*not as documented: `presets.1.ref` is missing/),
    );
    const empty = { ok: true, value: { scans: [], complete: true } } as const;
    expect(of('Scan list', { scans: empty })).toEqual([expect.stringMatching(/^skipped: .*first scan/)]);
    expect(of('Scan detail', { scans: empty })).toEqual([expect.stringMatching(/^skipped: .*first scan/)]);
  });
});

test('in a public repository, the doctor shows no limit, no date and no number of repositories', () => {
  const rows = diagnose(
    factsOf({
      about: PUBLIC,
      token: { expiresAt: inDays(400), spendLimit: 123_456, allowlist: ['r1', 'r2', 'r3', 'r4', 'r5'] },
    }),
  );
  expect(rows.map(shownRow).join('\n')).not.toMatch(/123.?456|\b400\b|2027|\b5\b/);
});

test('in a public repository, the doctor does not name unknown severities', () => {
  const given = { findings: [finding({ severity: 'SEVERE' }), finding({})] };
  const row = (about: NonNullable<Given['about']>) =>
    diagnose(factsOf({ ...given, about }))
      .filter(({ check }) => check === 'Findings')
      .map(shownRow)
      .join();
  expect(row({})).toContain('1 of 2 findings have `SEVERE`, which counts as above `critical`');
  expect(row(PUBLIC)).toContain('No known severity: 1 of 2 findings count as above `critical`.');
  expect(row(PUBLIC)).not.toContain('SEVERE');
});

test.each([true, false])(
  'the doctor does not name a finding or a token (public repository: %s)',
  (isPublic) => {
    const facts = factsOf({
      about: { isPublic },
      findings: [
        finding({
          title: 'SQL in the cellar',
          cwe: 4242,
          location: { path: 'cellar/wine.ts', startLine: 4242, endLine: 4242 },
          description: 'cellar',
          recommendedFix: 'cellar',
          proofOfConcept: 'cellar',
        }),
      ],
    });
    expect(JSON.stringify(diagnose(facts))).not.toMatch(/cellar|4242|secret99|ghs_1/);
    expect(JSON.stringify(facts.service?.findings)).not.toMatch(/cellar|4242/);
  },
);
