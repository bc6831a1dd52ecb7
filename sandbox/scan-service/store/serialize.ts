import type * as v from 'valibot';
import type { LocatedVulnerability } from '../analyzer/vulnerability.ts';
import type { StoredFinding, StoredRepository } from '../records.ts';
import { isTerminal } from '../scan-status.ts';
import type { FindingRecord, RepositoryRecord, ScanRecord, ServiceState } from '../state.ts';

/** A record in the form in which it is stored. */
export interface SerializedRecord {
  readonly kind: RecordKind;
  readonly id: string;
  /** True if the record never changes again. It is then stored only once. */
  readonly final: boolean;
  /**
   * Makes the content of the record. It is not called for a final record that is stored already. This saves time,
   * because the largest records are final.
   */
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

/** Returns all records of the state that the next start needs. */
export function* serialize(state: ServiceState): Generator<SerializedRecord> {
  const { project, ledger } = state;
  const changing = (kind: RecordKind, id: string, content: () => object) =>
    ({ kind, id, final: false, content }) as const;
  yield changing('project', project.id, () => project);
  for (const token of state.tokens) {
    yield changing('token', token.keyId, () => token);
  }
  for (const repository of state.repositories) {
    yield changing('repository', repository.id, () => serializeRepository(repository));
    for (const { id, content, at } of repository.guidance.revisions) {
      const revision = { id, repositoryId: repository.id, content, at };
      yield { kind: 'revision', id, final: true, content: () => revision };
    }
  }
  for (const scan of state.scans) {
    yield { kind: 'scan', id: scan.id, final: isTerminal(scan.status), content: () => serializeScan(scan) };
  }
  for (const finding of state.findings.values()) {
    yield changing('finding', finding.id, () => serializeFinding(finding));
  }
  for (const publication of state.publications) {
    const { artifactId } = publication;
    yield changing('publication', artifactId, () => publication);
  }
  for (const [index, entry] of ledger.state().entries.entries()) {
    const content = () => entry;
    yield { kind: 'ledger', id: String(index), final: true, content };
  }
}

function serializeRepository(repository: RepositoryRecord): v.InferOutput<typeof StoredRepository> {
  const { guidance, maps, ...rest } = repository;
  return { ...rest, guidance: guidance.content, maps: [...maps] };
}

function serializeScan(scan: ScanRecord): object {
  const { repository, analysis: _, survey: __, found, ...rest } = scan;
  return {
    ...rest,
    repositoryId: repository.id,
    found: found.map(({ findingId, vulnerability }) => ({
      findingId,
      vulnerability: serializeVulnerability(vulnerability),
    })),
  };
}

function serializeFinding({
  repository,
  vulnerability: _,
  ...rest
}: FindingRecord): v.InferOutput<typeof StoredFinding> {
  return { ...rest, repositoryId: repository.id };
}

/** Stores the texts of the vulnerability's rule, but not the matcher. */
function serializeVulnerability(vulnerability: LocatedVulnerability): object {
  const { id, cwe, severity, title, description, recommendedFix } = vulnerability.rule;
  const rule = { id, cwe, severity, title, description, recommendedFix };
  return { ...vulnerability, rule };
}
