import { afterAll, beforeAll } from 'vitest';
import { guardSpawned } from '../support/guard-spawned.ts';
import { type Client, clientOf, type Launch, NAMES } from './client.ts';
import { accepted } from './documented-answer.ts';
import { FindingPage, Launched, Presets, Repositories, ScanDetail } from './records.ts';
import { type Sandbox, spawnSandbox } from './spawn-sandbox.ts';
import { makeRepository, type VulnerableRepository } from './vulnerable-repository.ts';

/** The organization's credits at the start. They pay for the whole session. */
export const CREDITS = 300;
/** The credits that one scan of the session reserves: the minimum of the diff preset. */
export const BUDGET = 20;

/**
 * The longest time that the sandbox may take to start, in milliseconds. npm and the sandbox usually start in two
 * seconds. A machine that is busy with other tests takes longer.
 */
const LONGEST_START = 60_000;

/** The requests that the first token may send: more than the tests need. */
const CEILING = 1200;

/** More tokens of the session: one for each scope, one that has expired, and one with every restriction. */
export const SCOPES = ['read', 'findings:write', 'guidance:write', 'scans:launch', 'publish'] as const;
export type Scope = (typeof SCOPES)[number];
const EXPIRED = 'expires=2020-01-01';
/** This token sees no repository, because the sandbox has none of its allowlist. */
const RESTRICTED = 'allowlist=acme/other;expires=2999-01-01;spend-limit=50';
const TOKENS = [...SCOPES.map((scope) => `scopes=${scope}`), EXPIRED, RESTRICTED];

export type Preset = { readonly ref: string; readonly minCredits: number };
export type Session = {
  readonly sandbox: Sandbox;
  readonly shop: VulnerableRepository;
  readonly client: Client;
  /** A client whose token has only this scope. */
  readonly withScope: (scope: Scope) => Client;
  readonly expired: Client;
  /** A client whose allowlist has another repository than that of the sandbox. */
  readonly restricted: Client;
  readonly repository: string;
  readonly diff: Preset;
  readonly full: Preset;
  /** A launch of a full scan of the default branch. Tests replace some of its members. */
  readonly plain: Launch;
  /** The id of the completed scan of the change. The first call launches the scan. */
  diffScan(): Promise<string>;
  /** The ids of the findings of `diffScan`. */
  diffFindings(): Promise<readonly string[]>;
  /** The id of the completed scan of the default branch. The first call launches the scan. */
  fullScan(): Promise<string>;
};

function onceOnly<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Finds out the kind of each preset. Tries to launch each preset with an invalid diff base. The service refuses the
 * launch, and its error code depends on the kind.
 */
async function presetsOf(client: Client, launch: Omit<Launch, 'presetRef'>) {
  const kinds: Record<string, Preset> = {};
  for (const { ref, minCredits } of accepted(await client.presets(), 200, Presets).presets) {
    const { body } = await client.launch({ ...launch, presetRef: ref, baseCommit: 'no-commit' });
    kinds[/diff_base_\w+/.exec(JSON.stringify(body))?.[0] ?? ''] = { ref, minCredits };
  }
  const { diff_base_invalid: diff, diff_base_not_allowed: full } = kinds;
  if (diff === undefined || full === undefined) throw new Error(`Presets: ${JSON.stringify(kinds)}`);
  return { diff, full };
}

async function begin(shop: VulnerableRepository, sandbox: Sandbox): Promise<Session> {
  const clientWith = (token = sandbox.token) => clientOf(sandbox.baseUrl, token, sandbox.projectId);
  const client = clientWith();
  const more = (spec: string) => clientWith(sandbox.moreTokens[TOKENS.indexOf(spec)]);
  const [found] = accepted(await client.repositories(), 200, Repositories).repositories;
  const repository = found?.id ?? '';
  const { diff, full } = await presetsOf(client, { repository, commit: shop.base, creditBudget: BUDGET });
  const plain: Launch = { repository, commit: shop.base, presetRef: full.ref, creditBudget: BUDGET };
  const launched = async (launch: Launch): Promise<string> =>
    accepted(await client.launch(launch), 202, Launched)[NAMES.launched.scan];
  const followed = async (launch: Launch): Promise<string> => {
    const id = await launched(launch);
    for (const answer of await client.follow(id)) accepted(answer, 200, ScanDetail);
    return id;
  };
  const diffScan = onceOnly(() =>
    followed({ ...plain, presetRef: diff.ref, commit: shop.head, baseCommit: shop.base }),
  );
  return {
    ...{ sandbox, shop, client, repository, diff, full, plain, diffScan },
    withScope: (scope) => more(`scopes=${scope}`),
    ...{ expired: more(EXPIRED), restricted: more(RESTRICTED) },
    diffFindings: onceOnly(async () => {
      const answer = await client.findings({ scanId: await diffScan() });
      return accepted(answer, 200, FindingPage).items.map((item) => item[NAMES.finding.id]);
    }),
    fullScan: onceOnly(() => followed({ ...plain, guidance: 'Look at the shell commands.' })),
  };
}

/**
 * Starts one sandbox for the tests of a file, and ends it after the last test. Tests call the returned function to get
 * the session.
 */
export function beginSession(): () => Session {
  let shop: VulnerableRepository | undefined;
  let sandbox: Sandbox | undefined;
  let session: Session | undefined;
  beforeAll(async () => {
    shop = makeRepository();
    const options = { repository: shop.folder, 'owner-name': 'acme/shop', credits: String(CREDITS) };
    sandbox = await spawnSandbox({ ...options, token: TOKENS, 'request-ceiling': String(CEILING) });
    guardSpawned(sandbox.baseUrl);
    session = await begin(shop, sandbox);
  }, LONGEST_START);
  afterAll(async () => {
    await sandbox?.stop();
    shop?.remove();
  });
  return () => {
    if (session === undefined) throw new Error('The session has not begun.');
    return session;
  };
}
