import type * as v from 'valibot';
import type { PlacedFlaw } from '../analyzer/analyze.ts';
import { isTerminal } from '../scan-status.ts';
import type { FindingRecord, RepositoryRecord, ScanRecord, World } from '../world.ts';
import type {
  StoredFinding,
  StoredFlaw,
  StoredLedgerEntry,
  StoredProject,
  StoredPublication,
  StoredRepository,
  StoredRevision,
  StoredScan,
  StoredToken,
} from './stored-records.ts';

/** A record of the world on its way to the disk. */
export interface FrozenRecord {
  readonly kind: RecordKind;
  readonly id: string;
  /** It will never change again, and need not be looked at once it is stored. */
  readonly final: boolean;
  /** Made only where it is wanted: the largest records are final. */
  readonly content: () => object;
}

export type RecordKind =
  | 'project'
  | 'token'
  | 'repository'
  | 'revision'
  | 'scan'
  | 'finding'
  | 'publication'
  | 'ledger';

/** A record as its schema reads it, with moments as they stand in JSON. */
type Written<T> = T extends Date
  ? Date
  : T extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Written<T[Key]> }
      : T;
type Content<Schema extends v.GenericSchema> = Written<v.InferOutput<Schema>>;

/** Everything that the world holds and that a restart must not lose. */
export function* freeze(world: World): Generator<FrozenRecord> {
  const { project, ledger } = world;
  const changing = (kind: RecordKind, id: string, content: () => object) =>
    ({ kind, id, final: false, content }) as const;
  yield changing('project', project.id, () => project satisfies Content<typeof StoredProject>);
  for (const token of world.tokens) {
    yield changing('token', token.keyId, () => token satisfies Content<typeof StoredToken>);
  }
  for (const repository of world.repositories) {
    yield changing('repository', repository.id, () => freezeRepository(repository));
    for (const { id, content, at } of repository.guidance.revisions) {
      const revision: Content<typeof StoredRevision> = { id, repositoryId: repository.id, content, at };
      yield { kind: 'revision', id, final: true, content: () => revision };
    }
  }
  for (const scan of world.scans) {
    yield { kind: 'scan', id: scan.id, final: isTerminal(scan.status), content: () => freezeScan(scan) };
  }
  for (const finding of world.findings.values()) {
    yield changing('finding', finding.id, () => freezeFinding(finding));
  }
  for (const publication of world.publications) {
    const { artifactId } = publication;
    yield changing('publication', artifactId, () => publication satisfies Content<typeof StoredPublication>);
  }
  for (const [index, entry] of ledger.state().entries.entries()) {
    const content = () => entry satisfies Content<typeof StoredLedgerEntry>;
    yield { kind: 'ledger', id: String(index), final: true, content };
  }
}

function freezeRepository(repository: RepositoryRecord): Content<typeof StoredRepository> {
  const { guidance, maps, ...rest } = repository;
  return { ...rest, guidance: guidance.content, maps: [...maps] };
}

function freezeScan(scan: ScanRecord): Content<typeof StoredScan> {
  const { repository, analysis: _, survey: __, found, preset, ...rest } = scan;
  return {
    ...rest,
    repositoryId: repository.id,
    preset: { ...preset, description: preset.description ?? null },
    found: found.map(({ findingId, flaw }) => ({ findingId, flaw: freezeFlaw(flaw) })),
  };
}

function freezeFinding({ repository, flaw: _, ...rest }: FindingRecord): Content<typeof StoredFinding> {
  return { ...rest, repositoryId: repository.id };
}

/** Of a rule only what it says; how it finds is no record. */
function freezeFlaw(flaw: PlacedFlaw): Content<typeof StoredFlaw> {
  const { id, cwe, severity, title, description, recommendedFix } = flaw.rule;
  const rule = { id, cwe, severity, title, description, recommendedFix };
  return { ...flaw, rule, proof: flaw.proof ?? null };
}
