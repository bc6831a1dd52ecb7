import { randomBytes } from 'node:crypto';
import { survey } from './audit-areas/survey.ts';
import { Ledger } from './ledger.ts';
import {
  DEFAULT_PRESETS,
  type RepositoryOptions,
  type ScanServiceOptions,
  type TokenOptions,
} from './options.ts';
import type { TokenRecord } from './records.ts';
import { ALL_SCOPES } from './records.ts';
import type { RepositoryRecord, ServiceState, Settings } from './state.ts';

const DEFAULT_CREDITS = 1000;
const DEFAULT_CEILING = { requests: 600, windowSeconds: 60 };

const DEFAULTS: Settings = {
  retryAfterSeconds: 1,
  pace: { phasesPerPoll: 3, hold: false, ending: 'COMPLETED' },
  hideFields: {},
  launchFields: { repository: 'repositoryId', commit: 'commit' },
  findingId: (hash) => hash,
  scanId: (hash) => `scan_${hash.slice(0, 20)}`,
  // Loads the analyzer only when a scan needs it, because its engines load slowly.
  analyze: async (target) => (await import('./analyzer/analyze.ts')).analyze(target),
  survey,
  onScanFailure: () => {},
};

/** Creates the state of a new service. Missing options get their defaults. */
export function createState(options: ScanServiceOptions): ServiceState {
  const now = () => options.clock?.now() ?? new Date();
  const repositories: RepositoryRecord[] = [];
  for (const repository of options.repositories)
    repositories.push(createRepository(repository, repositories));
  return {
    project: {
      id: 'prj_7f3a91c2',
      slug: 'sandbox',
      name: 'Sandbox',
      organization: { id: 'org_51d0be84', slug: 'example', name: 'Example' },
    },
    tokens: (options.tokens ?? [{}]).map((token) => createToken(token, repositories)),
    repositories,
    presets: options.presets ?? DEFAULT_PRESETS,
    scans: [],
    findings: new Map(),
    publications: [],
    ledger: new Ledger(options.credits ?? DEFAULT_CREDITS, now),
    settings: {
      ...DEFAULTS,
      ...options,
      pace: { ...DEFAULTS.pace, ...options.pace },
      launchFields: { ...DEFAULTS.launchFields, ...options.launchFields },
    },
    next: {},
    now,
  };
}

function createRepository(options: RepositoryOptions, others: readonly RepositoryRecord[]): RepositoryRecord {
  const { guidance = null, readyAfterListings = null, ...given } = options;
  const plain = given.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const taken = others.filter((other) => other.slug === plain || other.slug.startsWith(`${plain}-`)).length;
  const slug = taken === 0 ? plain : `${plain}-${taken + 1}`;
  return {
    id: `repo_${slug}`,
    slug,
    url: `https://github.com/${given.owner}/${given.name}`,
    defaultBranch: 'main',
    status: 'ACTIVE',
    readiness: readyAfterListings === null ? 'ready' : 'analyzing',
    ...given,
    listingsUntilReady: readyAfterListings,
    // Only a write through the API creates a revision of the guidance.
    guidance: { content: guidance, revisions: [] },
    areas: [],
    maps: new Map(),
  };
}

function createToken(options: TokenOptions, repositories: readonly RepositoryRecord[]): TokenRecord {
  const keyId = randomBytes(6).toString('hex');
  const idOf = (wanted: string) =>
    repositories.find((one) => `${one.owner}/${one.name}` === wanted)?.id ?? wanted;
  return {
    keyId,
    token: `svc_proj_${keyId}_${randomBytes(24).toString('hex')}`,
    scopes: [...(options.scopes ?? ALL_SCOPES)],
    repositoryAllowlist: (options.repositoryAllowlist ?? []).map(idOf),
    expiresAt: options.expiresAt ?? null,
    spendLimit: options.spendLimit ?? null,
    requestCeiling: options.requestCeiling ?? DEFAULT_CEILING,
    window: { startedAt: 0, requests: 0 },
    revoked: false,
  };
}
