import * as v from 'valibot';
import type { PlacedFlaw } from '../analyzer/analyze.ts';
import { beginWork } from '../begin-work.ts';
import { isTerminal } from '../scan-status.ts';
import type { RepositoryRecord, World } from '../world.ts';
import type { StoredRow } from './database.ts';
import type { RecordKind } from './freeze.ts';
import {
  StoredFinding,
  type StoredFlaw,
  StoredLedgerEntry,
  StoredProject,
  StoredPublication,
  StoredRepository,
  StoredRevision,
  StoredScan,
  StoredToken,
} from './stored-records.ts';

/**
 * Puts what was stored into a fresh world. Project, tokens and credits are as stored, whatever the options say; of a
 * repository the options say where it is, the store how it stands. A scan that had not ended goes on. Throws where a
 * row cannot be read.
 */
export function thaw(world: World, rows: readonly StoredRow[]): void {
  const read = <Schema extends v.GenericSchema>(kind: RecordKind, schema: Schema): v.InferOutput<Schema>[] =>
    rows.filter((row) => row.kind === kind).map((row) => v.parse(schema, JSON.parse(row.json)));
  for (const project of read('project', StoredProject)) Object.assign(world.project, project);
  const tokens = read('token', StoredToken);
  if (tokens.length > 0) world.tokens.splice(0, world.tokens.length, ...tokens);
  thawRepositories(world, read('repository', StoredRepository), read('revision', StoredRevision));
  const entries = read('ledger', StoredLedgerEntry);
  if (entries.length > 0) world.ledger.restore(entries);
  const repositoryOf = (id: string): RepositoryRecord => {
    const repository = world.repositories.find((one) => one.id === id);
    if (repository === undefined) throw new Error(`a stored record is of an unknown repository ${id}`);
    return repository;
  };
  for (const { repositoryId, found, ...rest } of read('scan', StoredScan)) {
    const scan = { ...rest, repository: repositoryOf(repositoryId) };
    const work = isTerminal(scan.status) ? NO_WORK : beginWork(world, scan);
    const places = found.map(({ findingId, flaw }) => ({ findingId, flaw: thawFlaw(flaw) }));
    world.scans.push({ ...scan, ...work, found: places });
  }
  const flaws = new Map(
    world.scans.flatMap((scan) => scan.found.map(({ findingId, flaw }) => [`${scan.id} ${findingId}`, flaw])),
  );
  for (const { repositoryId, ...rest } of read('finding', StoredFinding)) {
    const flaw = flaws.get(`${rest.lastScanId} ${rest.id}`);
    if (flaw === undefined) throw new Error(`the scan that found ${rest.id} is gone`);
    world.findings.set(rest.id, { ...rest, repository: repositoryOf(repositoryId), flaw });
  }
  world.publications.push(...read('publication', StoredPublication));
}

const NO_WORK = { analysis: Promise.resolve(undefined), survey: Promise.resolve(undefined) };

function thawRepositories(
  { repositories }: World,
  stored: readonly v.InferOutput<typeof StoredRepository>[],
  revisions: readonly v.InferOutput<typeof StoredRevision>[],
): void {
  for (const { guidance: content, maps, areas, ...rest } of stored) {
    const own = revisions.filter((revision) => revision.repositoryId === rest.id);
    const guidance = { content, revisions: own.map(({ id, content, at }) => ({ id, content, at })) };
    const record = { ...rest, guidance, areas, maps: new Map(maps) };
    const index = repositories.findIndex((one) => one.id === rest.id);
    const configured = repositories[index];
    // One that the options do not name any more still has scans and findings.
    if (configured === undefined) repositories.push(record);
    else {
      const { owner, name, slug, url, defaultBranch, gitDir } = configured;
      repositories[index] = { ...record, owner, name, slug, url, defaultBranch, gitDir };
    }
  }
}

function thawFlaw(flaw: v.InferOutput<typeof StoredFlaw>): PlacedFlaw {
  return { ...flaw, proof: flaw.proof ?? undefined };
}
