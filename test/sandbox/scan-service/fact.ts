import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import type { FakeScanService } from '../../../sandbox/scan-service/server.ts';
import type { Circumstances, Player } from '../play.ts';
import { type Options, start } from './harness.ts';

/** The members of a launch that make it a full scan. */
export const FULL = { presetRef: 'full-audit', baseCommit: undefined };

const VULNERABLE_CODE = 'eval(code);\n';
const SHOP: FixtureDescription = {
  commits: [
    { name: 'start', files: { 'README.md': 'Shop\n' } },
    {
      name: 'shop',
      files: {
        'src/orders/list.js': `let a;\nlet b;\n${VULNERABLE_CODE}`,
        'src/orders/picture.png': Buffer.from([0, 1, 2, 10, 10]),
        'src/main.js': VULNERABLE_CODE,
        'packages/till/src/pay.js': `${VULNERABLE_CODE}${VULNERABLE_CODE}let last;`,
        'docs/a/b.md': 'one\ntwo\n',
      },
    },
    { name: 'smaller', files: { 'packages/till/src/pay.js': null, 'src/orders/list.js': VULNERABLE_CODE } },
  ],
  branches: { main: 'shop', next: 'smaller', old: 'start' },
};
const LINE = 'function f(x) { eval(x); }\n';
const MOVED: FixtureDescription = {
  commits: [
    { name: 'base', files: { 'a.js': '' } },
    { name: 'one', files: { 'a.js': LINE } },
    { name: 'two', files: { 'a.js': `let a;\n\n  ${LINE}` } },
  ],
};

const AT_ONCE = { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } };
const ending = (how: 'COMPLETED' | 'FAILED' | 'CANCELLED'): Options => ({
  pace: { ...AT_ONCE.pace, ending: how },
});

/** The setups that the tables name. */
const SETUPS: Readonly<Record<string, Options & { readonly description?: FixtureDescription }>> = {
  'scans that end at the first read': AT_ONCE,
  'a shop, and scans that end at the first read': { ...AT_ONCE, description: SHOP },
  'a finding that moves, and scans that end at the first read': { ...AT_ONCE, description: MOVED },
  'two repositories, and scans that end at the first read': {
    ...AT_ONCE,
    repositories: [{}, { name: 'till' }],
  },
  'one label for all findings': { ...AT_ONCE, findingId: (hash) => `${hash.slice(0, 10)}-aaaaaaaa` },
  'hidden members': {
    ...AT_ONCE,
    hideFields: { findingItem: ['filePath'], scanDetail: ['commit'], progress: ['weightedCompletion'] },
  },
  'scans that complete': ending('COMPLETED'),
  'scans that fail': ending('FAILED'),
  'scans that are cancelled': ending('CANCELLED'),
  'two phases for each read': { pace: { phasesPerPoll: 2 }, retryAfterSeconds: 3 },
  'no default branch': { repositories: [{ defaultBranch: null }] },
  'other names in a launch': { launchFields: { commit: 'revision', repository: 'repo' } },
  'stored guidance': { repositories: [{ guidance: 'Old.' }] },
  'a repository that is marked for deletion': { repositories: [{ status: 'MARKED_FOR_DELETION' }] },
  'a repository that is ready after two listings': { repositories: [{ readyAfterListings: 2 }] },
  'repositories with similar names': {
    repositories: [{ name: 'Shop' }, { owner: 'other' }, { name: 'shop-front' }],
  },
  'an allowlist': {
    repositories: [{ name: 'shop' }, { name: 'till' }],
    tokens: [{ repositoryAllowlist: ['acme/till'] }],
  },
  'a spend limit of 40': { tokens: [{ spendLimit: 40 }, {}] },
  'two tokens': { tokens: [{}, {}] },
  'a token that expires': { tokens: [{ expiresAt: new Date('2024-05-02T00:00:00Z') }] },
  'two requests in 30 seconds': { tokens: [{ requestCeiling: { requests: 2, windowSeconds: 30 } }] },
};

/** What happens in the tables. `scan` is the newest scan, and `finding` the first finding of the oldest scan. */
const HAPPENINGS: Readonly<
  Record<string, (service: FakeScanService, scan: string, finding: string) => unknown>
> = {
  'hold the next scan': ({ control }) => control.hold('next'),
  'fail the next scan': ({ control }) => control.fail('next'),
  'cancel the next scan': ({ control }) => control.cancel('next'),
  'release the scan': ({ control }, scan) => control.release(scan),
  'fail the scan': ({ control }, scan) => control.fail(scan),
  'cancel the scan': ({ control }, scan) => control.cancel(scan),
  'the first token is revoked': ({ control, token }) => control.revokeToken(token),
  'triage, and another severity': ({ control }, _, finding) => {
    const closed = { resolutionStatus: 'FALSE_POSITIVE', triageStatus: 'REJECTED' };
    control.triage(finding, { ...closed, confirmationEvidence: null });
    control.overrideSeverity(finding, 'INFO');
  },
  'no other severity any more': ({ control }, _, finding) => control.overrideSeverity(finding, null),
};

/**
 * Opens a fake service for a section of a table. It starts at 10:00 on 1 May 2024; a time in parentheses is the time
 * from then on. `{scan1}`, `{finding1}` and `{label1}` stand for the first scan, the first finding and its label. `LOOK`
 * shows what only the fake service itself can show. Without `as`, the requests have the first token.
 */
export async function openService({ with: setupName = '', as }: Circumstances): Promise<Player> {
  if (setupName !== '' && SETUPS[setupName] === undefined) throw new Error(`there is no setup ${setupName}`);
  const { description, ...options } = SETUPS[setupName] ?? {};
  let now = new Date('2024-05-01T10:00:00Z');
  const { service, repository, call } = await start({ clock: { now: () => now }, ...options }, description);
  const authorization = `Bearer ${service.tokens[as === 'the second token' ? 1 : 0]?.token}`;
  return {
    async call(method, path, body) {
      if (method !== 'LOOK') return call(method, path, body, { authorization });
      const { entries, ...sums } = service.ledger();
      const ledger = { ...sums, entries: entries.map(({ kind, credits }) => `${kind} ${credits}`) };
      return { status: 200, headers: new Headers(), body: path === 'ledger' ? ledger : service.scans() };
    },
    ids() {
      const scans = service.scans().toReversed();
      const findings = [...new Set(scans.flatMap(({ findingIds }) => findingIds))];
      const named = (name: string, ids: readonly string[]) =>
        ids.map((id, index) => [`${name}${index + 1}`, id] as const);
      return new Map([
        ...repository.names.map((name) => [name, repository.id(name)] as const),
        ...named(
          'scan',
          scans.map(({ id }) => id),
        ),
        ...named('finding', findings),
        ...named(
          'label',
          findings.map((id) => id.slice(-8)),
        ),
      ]);
    },
    happens(what) {
      if (/^\d{4}-/.test(what)) return () => (now = new Date(what));
      const happen = HAPPENINGS[what];
      const scans = service.scans();
      return happen && (() => happen(service, scans[0]?.id ?? '', scans.at(-1)?.findingIds[0] ?? ''));
    },
    steady: (text) => text.replaceAll(/_[0-9a-f]{18}\b/g, '_RANDOM'),
  };
}
