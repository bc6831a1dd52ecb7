import * as v from 'valibot';
import { beginWork } from '../begin-work.ts';
import {
  StoredFinding,
  StoredLedgerEntry,
  StoredProject,
  StoredPublication,
  StoredRepository,
  StoredRevision,
  StoredScan,
  StoredToken,
} from '../records.ts';
import { isTerminal } from '../scan-status.ts';
import type { RepositoryRecord, ServiceState } from '../state.ts';
import type { StoredRow } from './database.ts';
import type { RecordKind } from './serialize.ts';

/**
 * Loads stored records into a new state. Throws if a row cannot be read.
 *
 * - Stored records replace the project, the tokens and the credits of the state.
 * - The names, the URL, the path and the default branch of a repository come from the options. Everything else about a
 *   repository comes from the store.
 * - An unfinished scan continues.
 */
export function deserialize(state: ServiceState, rows: readonly StoredRow[]): void {
  const read = <Schema extends v.GenericSchema>(kind: RecordKind, schema: Schema): v.InferOutput<Schema>[] =>
    rows.filter((row) => row.kind === kind).map((row) => v.parse(schema, JSON.parse(row.json)));
  for (const project of read('project', StoredProject)) Object.assign(state.project, project);
  const tokens = read('token', StoredToken);
  if (tokens.length > 0) state.tokens.splice(0, state.tokens.length, ...tokens);
  deserializeRepositories(state, read('repository', StoredRepository), read('revision', StoredRevision));
  const entries = read('ledger', StoredLedgerEntry);
  if (entries.length > 0) state.ledger.restore(entries);
  const repositoryOf = (id: string): RepositoryRecord => {
    const repository = state.repositories.find((one) => one.id === id);
    if (repository === undefined) throw new Error(`a stored record is of an unknown repository ${id}`);
    return repository;
  };
  for (const { repositoryId, found, ...rest } of read('scan', StoredScan)) {
    const scan = { ...rest, repository: repositoryOf(repositoryId) };
    const work = isTerminal(scan.status) ? NO_WORK : beginWork(state, scan);
    state.scans.push({ ...scan, ...work, found });
  }
  const vulnerabilities = new Map(
    state.scans.flatMap((scan) =>
      scan.found.map(({ findingId, vulnerability }) => [`${scan.id} ${findingId}`, vulnerability]),
    ),
  );
  for (const { repositoryId, ...rest } of read('finding', StoredFinding)) {
    const vulnerability = vulnerabilities.get(`${rest.lastScanId} ${rest.id}`);
    if (vulnerability === undefined) throw new Error(`the scan that found ${rest.id} is gone`);
    state.findings.set(rest.id, { ...rest, repository: repositoryOf(repositoryId), vulnerability });
  }
  state.publications.push(...read('publication', StoredPublication));
}

const NO_WORK = { analysis: Promise.resolve(undefined), survey: Promise.resolve(undefined) };

function deserializeRepositories(
  { repositories }: ServiceState,
  stored: readonly v.InferOutput<typeof StoredRepository>[],
  revisions: readonly v.InferOutput<typeof StoredRevision>[],
): void {
  for (const { guidance: content, maps, areas, ...rest } of stored) {
    const own = revisions.filter((revision) => revision.repositoryId === rest.id);
    const guidance = { content, revisions: own.map(({ id, content, at }) => ({ id, content, at })) };
    const record = { ...rest, guidance, areas, maps: new Map(maps) };
    const index = repositories.findIndex((one) => one.id === rest.id);
    const configured = repositories[index];
    // Even if the options no longer name a repository, its scans and findings stay.
    if (configured === undefined) repositories.push(record);
    else {
      const { owner, name, slug, url, defaultBranch, gitDir } = configured;
      repositories[index] = { ...record, owner, name, slug, url, defaultBranch, gitDir };
    }
  }
}
