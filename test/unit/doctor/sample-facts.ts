import type { DoctorFacts, GitHubFacts, RepositoryFacts, ServiceFacts } from '../../../src/doctor/facts.ts';
import { findingFacts } from '../../../src/doctor/reads.ts';
import type { Row } from '../../../src/doctor/row.ts';
import type { Finding } from '../../../src/domain/finding.ts';
import type { Preset, ProjectRepository, TokenInformation } from '../../../src/domain/project.ts';
import { err, ok } from '../../../src/domain/result.ts';
import type { ListedScan } from '../../../src/domain/scan.ts';
import { readInputs } from '../../../src/runner/inputs.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { finding as sampleFinding } from '../domain/sample-finding.ts';
import * as fake from '../scan/fake-api.ts';
import { gate, workflowFile } from './gate-workflow.ts';

export const HEAD = 'ab'.repeat(20);
export const BASE = 'cd'.repeat(20);
export const NOW = new Date('2026-01-15T12:00:00Z');

const REPOSITORY: ProjectRepository = {
  id: 'r1',
  owner: 'Acme',
  name: 'shop',
  url: 'https://github.com/Acme/shop',
  status: 'ACTIVE',
  readiness: 'ready',
};
export const DIFF: Preset = {
  ref: 'diff',
  name: 'Diff',
  minCredits: 20,
  modelTier: 'large',
  description: 'A change.',
};
export const FULL: Preset = { ref: 'full', name: 'Full', minCredits: 0 };

const PLACE = { path: 'a.js', startLine: 1, endLine: undefined };

const TOKEN: TokenInformation = {
  projectId: 'p1',
  scopes: ['read', 'scans:launch', 'publish'],
  expiresAt: undefined,
  spendLimit: undefined,
  allowlist: [],
};

export const GUIDANCE = {
  path: 'a.md',
  file: ok({ path: 'a.md', commitSha: HEAD, characters: 5, hash: '1234567890', text: 'File.', trail: [] }),
  stored: ok(null),
};

export interface Given {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly token?: Partial<TokenInformation> | ApiError;
  readonly repository?: Partial<ProjectRepository>;
  readonly presets?: readonly Preset[];
  readonly scan?: Partial<ListedScan>;
  readonly findings?: readonly Finding[];
  readonly service?: Partial<ServiceFacts> | 'not asked';
  readonly github?: Partial<GitHubFacts> | 'not asked';
  readonly about?: Partial<RepositoryFacts>;
  readonly facts?: Partial<DoctorFacts>;
}

/** The facts of a healthy setup with a scan and a finding. Tests change members of it. */
export function factsOf({ inputs = {}, service, github, about, facts, ...given }: Given = {}): DoctorFacts {
  const all: Readonly<Record<string, string>> = {
    'base-url': 'https://scan.example/api/v1',
    'api-token': 'svc_proj_key_secret99',
    'github-token': 'ghs_1',
    ...inputs,
  };
  return {
    reading: readInputs('/work', { getInput: (name) => all[name] ?? '', setSecret: () => {} }),
    repository: {
      owner: 'acme',
      name: 'shop',
      serverUrl: 'https://github.com',
      isPublic: false,
      headSha: HEAD,
      ...about,
    },
    proxy: { variable: undefined, fault: undefined },
    now: NOW,
    service: service === 'not asked' ? undefined : { ...serviceFacts(given), ...service },
    github: github === 'not asked' ? undefined : { ...gitHubFacts(github?.rules), ...github },
    isCommandLine: false,
    ...facts,
  };
}

function serviceFacts({
  token = {},
  repository,
  scan = {},
  findings = [sampleFinding({ location: PLACE })],
  presets = [DIFF, FULL],
}: Given): ServiceFacts {
  const whole = fake.aScan('COMPLETED', {
    id: 's1',
    headSha: HEAD,
    baseSha: BASE,
    presetRef: 'diff',
    repositoryId: 'r1',
    createdAt: NOW.toISOString(),
  });
  const { id: _, status: __, ...shown } = scan;
  const detail = { ...whole, ...shown, progress: { ...whole.progress, phasesTotal: 6 } };
  const { progress: ___, ...listed } = detail;
  return {
    token: isApiError(token) ? err(token) : ok({ ...TOKEN, ...token }),
    projectId: ok('p1'),
    lists: {
      repositories: ok([{ ...REPOSITORY, ...repository }]),
      presets: ok(presets),
      scans: ok({ scans: [{ ...listed, ...scan }], complete: true }),
    },
    scan: ok(detail),
    findings: ok(findings.map(findingFacts)),
  };
}

function gitHubFacts(rules: GitHubFacts['rules']): GitHubFacts {
  return {
    defaultBranch: ok('main'),
    branch: ok({ sha: BASE, isProtected: true, requiredChecks: [] }),
    rules: ok({ rules: [requires('scangate')], complete: true }),
    comparison: ok({}),
    checkRuns: ok([]),
    workflows: ok({ files: [workflowFile('scangate.yml', gate())], complete: true }),
    repository: { id: 1, defaultBranch: 'main', isPublic: false },
    queue: ok(hasQueueRule(rules) ? 'ALLGREEN' : 'none'),
    foreign: [],
    targetRuns: undefined,
    environments: new Map(),
    jobApps: new Map(),
    languages: undefined,
  };
}

function hasQueueRule(rules: GitHubFacts['rules']): boolean {
  return rules?.ok === true && rules.value.rules.some(({ type }) => type === 'merge_queue');
}

function isApiError(token: NonNullable<Given['token']>): token is ApiError {
  return 'kind' in token;
}

/** Makes a rule that requires these checks from GitHub Actions. */
export function requires(...contexts: readonly string[]) {
  return requiresFrom(15_368, ...contexts);
}

/** Makes a rule that requires these checks from this app. If the app is undefined, any source may report the checks. */
export function requiresFrom(app: number | undefined, ...contexts: readonly string[]) {
  return {
    type: 'required_status_checks',
    parameters: {
      required_status_checks: contexts.map((context) =>
        app === undefined ? { context } : { context, integration_id: app },
      ),
    },
  };
}

/** Makes a rule that requires a workflow. */
export function requiresWorkflow(path: string, repositoryId: number, ref = 'refs/heads/main') {
  return {
    type: 'workflows',
    parameters: { workflows: [{ path, repository_id: repositoryId, ref }] },
  };
}

export function refused(status: number, code: string): ApiError {
  return fake.refused(status, code, { operation: 'check the API token' }).error;
}

/** Shows a row as `level: text [who: what]`. */
export function shownRow({ level, text, fix }: Row): string {
  return `${level}: ${text}${fix === undefined ? '' : ` [${fix.who}: ${fix.what}]`}`;
}
