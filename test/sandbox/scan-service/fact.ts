import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import type { FakeScanService } from '../../../sandbox/scan-service/server.ts';
import { happens, play, type Step } from '../play.ts';
import { type Options, start } from './harness.ts';

export interface Server {
  readonly service: FakeScanService;
  /** The time of the service. */
  readonly time: { now: Date };
}

/** Something that the fake service does for its clients, and that its options and its control change. */
export interface Fact {
  readonly name: string;
  readonly options?: Options;
  /** Default: `SAMPLE`. */
  readonly repository?: FixtureDescription;
  /** The number of the token that the requests have. Default: 0. */
  readonly token?: number;
  readonly steps: readonly Step<Server>[];
  /** The members of the answers to show, separated by spaces. The error of a refusal is always shown. */
  readonly show?: string;
}

/** Something that happens at a later time. */
export const later = (at: string) =>
  happens<Server>(at, ({ time }) => Object.assign(time, { now: new Date(at) }));

/** A launch of a diff scan. The members of `over` replace its members. */
export const launch = (over: object = {}) =>
  [
    'POST scans',
    {
      ...{ presetRef: 'diff-review', repositoryId: 'repo_shop', creditBudget: 20 },
      ...{ baseCommit: '{base}', commit: '{vulnerable}', ...over },
    },
  ] as const;
export const FULL = { presetRef: 'full-audit', baseCommit: undefined };

/** A read of a scan. By default, the second read ends it. */
export const read = (scan: number) => `GET scans/{scan${scan}}`;

/**
 * Plays a fact from 10:00 on 1 May 2024. `{scan1}`, `{finding1}` and `{label1}` stand for the id of the first scan, and
 * for the id and the label of the first finding. `LOOK` shows what only the fake service itself can show.
 */
export async function played(fact: Fact): Promise<string> {
  const time = { now: new Date('2024-05-01T10:00:00Z') };
  const { service, repository, call } = await start(
    { clock: { now: () => time.now }, ...fact.options },
    fact.repository,
  );
  const authorization = `Bearer ${service.tokens[fact.token ?? 0]?.token}`;
  const player = {
    server: { service, time },
    async call(method: string, path: string, body?: string) {
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
      const commits = repository.names.map((name) => [name, repository.id(name)] as const);
      const labels = findings.map((id) => id.slice(-8));
      const scanIds = scans.map(({ id }) => id);
      return new Map([
        ...commits,
        ...named('scan', scanIds),
        ...named('finding', findings),
        ...named('label', labels),
      ]);
    },
    steady: (text: string) => text.replaceAll(/_[0-9a-f]{18}\b/g, '_RANDOM'),
  };
  return `## ${fact.name}\n\n${await play(player, fact.steps, `${fact.show ?? ''} error.code error.message`)}`;
}
