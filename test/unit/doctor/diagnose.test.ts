import { expect, test } from 'vitest';
import { diagnose } from '../../../src/doctor/diagnose.ts';
import type { DoctorFacts, ServiceFacts } from '../../../src/doctor/facts.ts';
import { UNTITLED } from '../../../src/domain/finding.ts';
import { err, ok } from '../../../src/domain/result.ts';
import { chooseProject } from '../../../src/preflight/preflight.ts';
import { finding } from '../domain/sample-finding.ts';
import { gitHubError } from '../github/samples.ts';
import { aScan, invalid } from '../scan/fake-api.ts';
import { gate, workflowFile } from './gate-workflow.ts';
import { differences, page, tableOf } from './look.ts';
import { DIFF, FULL, factsOf, type Given, GUIDANCE, HEAD, NOW, refused, requires } from './sample-facts.ts';

const PUBLIC = { isPublic: true };
const ELSEWHERE = { name: 'till' };
const NO_MEMBERS = {
  id: undefined,
  headSha: undefined,
  baseSha: undefined,
  presetRef: undefined,
  repositoryId: undefined,
};
const expiring = (days: number) => ({
  expiresAt: new Date(NOW.getTime() + days * 24 * 60 * 60_000).toISOString(),
});
const failure = (reason: 'configuration' | 'service-error') =>
  err({ reason, cause: 'Why.', nextStep: 'What to do.' });
const unreachable = (cause: 'dns' | 'reset') =>
  ({ kind: 'unreachable', operation: 'check the API token', cause, sent: 'no', detail: 'why' }) as const;
const inputs = (given: NonNullable<Given['inputs']>, more: Given = {}): Given => ({ ...more, inputs: given });
const launching = (parameters: object, more: Given = {}) =>
  inputs({ 'launch-parameters': JSON.stringify(parameters) }, more);
const proxy = (fault?: DoctorFacts['proxy']['fault']): Given => ({
  facts: { proxy: { variable: 'HTTPS_PROXY', fault } },
});
const service = (given: Partial<ServiceFacts>): Given => ({ service: given });
const lists = (changed: Partial<NonNullable<ServiceFacts['lists']>>): Given => {
  const { service: healthy } = factsOf();
  return healthy?.lists === undefined ? {} : service({ lists: { ...healthy.lists, ...changed } });
};
const guidance = (changed: object): Given => ({ facts: { guidance: { ...GUIDANCE, ...changed } } });
const rules = (...all: readonly { type: string; parameters?: unknown }[]): Given => ({
  github: { rules: ok({ rules: all.map(({ type, parameters }) => ({ type, parameters })), complete: true }) },
});
const COMMAND_LINE = { facts: { isCommandLine: true } };
const NOT_FOUND = err(refused(404, 'not_found'));
const FORBIDDEN = err(gitHubError('forbidden'));
const UNREACHABLE = err(gitHubError('unreachable'));

/** Setups that differ from a healthy one. */
const SETUPS: Readonly<Record<string, Given>> = {
  'several input errors': inputs({
    'fail-on': 'hihg',
    'credit-budget': 'x',
    'launch-parameters': '{"commit":null}',
  }),
  'launch parameters of a wrong type': launching({ presetRef: 7 }),
  'launch parameters without the head, and no head to compare with': launching(
    { commit: null },
    { about: { headSha: '' } },
  ),
  'no token and no address': inputs({ 'api-token': '', 'base-url': '' }),
  'a token of an unknown form': inputs({ 'api-token': 'secret' }),
  'guidance in a file and in `launch-parameters`': inputs({
    'guidance-file': 'a.md',
    'launch-parameters': '{"guidance":"x"}',
  }),
  'no token on the command line': inputs({ 'api-token': '' }, COMMAND_LINE),
  'an invalid option on the command line': inputs({ 'fail-on': 'hihg' }, COMMAND_LINE),
  'a proxy': proxy(),
  'a proxy that cannot be used': {
    service: 'not asked',
    ...proxy({ reason: 'configuration', cause: 'Odd.', nextStep: 'Fix.' }),
  },
  'a service that was not asked': { service: 'not asked' },
  'a host name that does not exist': { token: unreachable('dns') },
  'a connection that is reset': { token: unreachable('reset') },
  'a login page instead of the API': {
    token: { ...invalid(200, 'not-json').error, operation: 'check the API token' },
  },
  'a time limit before an answer': {
    token: { kind: 'stopped', operation: 'check the API token', sent: 'no', by: 'timeout' },
  },
  'a rejected token': { token: refused(401, 'unauthorized') },
  'an internal error for the token': { token: refused(500, 'internal') },
  'an expiry in 40 days': { token: expiring(40.5) },
  'an expiry in one day': { token: expiring(1.5) },
  'an expiry in the past': { token: expiring(-1) },
  'an expiry that is not a date': { token: { expiresAt: 'soon' } },
  'an expiry in three days, in a public repository': { about: PUBLIC, token: expiring(3) },
  'the project of another token': service({ projectId: chooseProject('p1', { projectId: 'p2' }) }),
  'an unknown project': service({ projectId: undefined }),
  'a project that the service does not show': service({ projectId: failure('configuration') }),
  'the scope to publish': inputs({ publish: 'always' }),
  'missing scopes': inputs({ publish: 'always' }, { token: { scopes: ['read'] } }),
  'scopes that the service does not show': { token: { scopes: undefined } },
  'a limit that covers a scan': { token: { spendLimit: 20 } },
  'a limit below the budget': { token: { spendLimit: 19 } },
  'a limit below the budget, in a public repository': { about: PUBLIC, token: { spendLimit: 7 } },
  'a limit, a date and an allowlist, in a public repository': {
    about: PUBLIC,
    token: { ...expiring(400), spendLimit: 123_456, allowlist: ['r1', 'r2'] },
  },
  'no presets, and a limit of 0': { presets: [], token: { spendLimit: 0 } },
  'an allowlist with this repository': { token: { allowlist: ['r1', 'r2', 'r3'] } },
  'an allowlist without this repository': { about: ELSEWHERE, token: { allowlist: ['r1'] } },
  'a repository that is not in the list': { about: ELSEWHERE },
  'a repository that is marked for deletion': { repository: { status: 'MARKED_FOR_DELETION' } },
  'a repository that is still analyzed': { repository: { readiness: 'analyzing' } },
  'another repository in `launch-parameters`': launching({ repositoryId: 'r9' }),
  'lists of the service that were not read': service({ lists: undefined, scan: undefined }),
  'a refused list of repositories': lists({ repositories: NOT_FOUND }),
  'a refused list of presets': lists({ presets: NOT_FOUND }),
  'a refused list of scans': lists({ scans: NOT_FOUND }),
  'a malformed preset': lists({ presets: ok([DIFF, { fault: '`presets.1.ref` is missing', readable: {} }]) }),
  'an empty list of scans': lists({ scans: ok({ scans: [], complete: true }) }),
  'no diff preset': { presets: [FULL] },
  'only a diff preset': { presets: [DIFF] },
  'a full preset in the input': inputs({ preset: 'full' }),
  'a diff preset in the input': inputs({ preset: 'diff' }),
  'a budget below the minimum': inputs({ 'credit-budget': '19' }, { presets: [DIFF] }),
  'a budget below the minimum of a full scan': inputs(
    { 'credit-budget': '30' },
    { presets: [DIFF, { ...FULL, minCredits: 200 }] },
  ),
  'a scan without its time': { scan: { createdAt: undefined } },
  'a scan with its time only': { scan: NO_MEMBERS },
  'a full scan, which shows that it has no base': { scan: { baseSha: null } },
  'a scan without its commits': service({ scan: ok(aScan('COMPLETED')) }),
  'an internal error for a scan': service({ scan: err(refused(500, 'internal')) }),
  'no scan with an id': service({ scan: undefined }),
  'refused findings': service({ findings: err(refused(403, 'forbidden')) }),
  'a rate limit for findings': service({ findings: err(refused(429, 'rate_limited')) }),
  'no findings': { findings: [] },
  'findings with their ids only': {
    findings: [finding({ title: UNTITLED, severity: 'SEVERE' }), finding({ severity: '' })],
  },
  'an unknown severity': { findings: [finding({ severity: 'SEVERE' }), finding({})] },
  'an unknown severity, in a public repository': {
    about: PUBLIC,
    findings: [finding({ severity: 'SEVERE' }), finding({})],
  },
  'a launch with `launch-parameters`': launching({
    guidance: 'Look at the login.',
    depth: 7,
    creditBudget: null,
  }),
  'a guidance file': guidance({}),
  'a guidance file and stored guidance': guidance({ stored: ok('Stored.') }),
  'a guidance file that is not there': guidance({ file: failure('configuration') }),
  'a guidance file that could not be read': guidance({ file: failure('service-error') }),
  'stored guidance that may not be read': guidance({ stored: failure('configuration') }),
  'a guidance file and stored guidance that are too long together': guidance({
    stored: ok('x'.repeat(100_000)),
  }),
  'a guidance file that was not read': guidance({ file: undefined }),
  'stored guidance that was not read': guidance({ stored: undefined }),
  'no token for GitHub': { github: 'not asked' },
  'no token for GitHub on the command line': { github: 'not asked', ...COMMAND_LINE },
  'GitHub out of reach': { github: { defaultBranch: UNREACHABLE } },
  'a default branch that is not as documented': { github: { branch: err(gitHubError('invalid')) } },
  'a comparison without a permission': {
    github: { comparison: err({ kind: 'unavailable', error: gitHubError('forbidden') }) },
  },
  'a comparison of unrelated commits': { github: { comparison: err({ kind: 'no-common-ancestor' }) } },
  'a comparison after the time limit': { github: { comparison: err({ kind: 'stopped' }) } },
  'check runs without a permission': { github: { checkRuns: FORBIDDEN } },
  'rules without a permission': { github: { rules: FORBIDDEN } },
  'workflows out of reach': { github: { workflows: UNREACHABLE } },
  'no workflow': { github: { workflows: ok({ files: [], complete: true }) } },
  'a required job `lint / scangate`, which is not the job of the gate': rules(requires('lint / scangate')),
  'a required workflow of an unknown form': rules({ type: 'workflows' }),
  'required checks of an unknown form': rules({ type: 'required_status_checks', parameters: {} }),
  'required checks that GitHub does not show': {
    github: {
      ...Object(rules().github),
      branch: ok({ sha: HEAD, isProtected: true, requiredChecks: undefined }),
    },
  },
  'another required check': rules(requires('test')),
  'another required check, and workflows that were not all read': {
    github: {
      ...Object(rules(requires('test')).github),
      workflows: ok({ files: [workflowFile('scangate.yml', gate())], complete: false }),
    },
  },
  'the check run of the gate as the required check': rules(requires('Security scan')),
  'a merge queue without the gate': rules({ type: 'merge_queue' }),
};

test('the doctor shows in which rows a setup differs from a healthy one', async () => {
  const rows = Object.entries(SETUPS).map(([what, given]) => [what, differences(tableOf(given))] as const);
  const { rows: healthy, last } = tableOf({});
  await expect(page([['the healthy setup', [...healthy, last]], ...rows])).toMatchFileSnapshot(
    'golden/diagnose.txt',
  );
});

test.each([true, false])(
  'the doctor does not name a finding or a token (public repository: %s)',
  (isPublic) => {
    const text = 'cellar';
    const found = finding({
      title: text,
      cwe: 4242,
      location: { path: text, startLine: 4242, endLine: 4242 },
      description: text,
      recommendedFix: text,
      proofOfConcept: text,
    });
    const facts = factsOf({ about: { isPublic }, findings: [found] });
    expect(JSON.stringify(diagnose(facts))).not.toMatch(/cellar|4242|secret99|ghs_1/);
    expect(JSON.stringify(facts.service?.findings)).not.toMatch(/cellar|4242/);
  },
);
