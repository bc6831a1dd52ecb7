import type { Answer } from '../faults/interception.ts';
import type { TokenRecord } from './records.ts';
import { conflict, notFound, Refusal } from './refusal.ts';
import type { Call, FindingRecord, RepositoryRecord, ScanRecord } from './state.ts';

/** True if this token may see the repository. If not, answers say that the repository does not exist. */
export function canSee(token: TokenRecord, repository: RepositoryRecord): boolean {
  return token.repositoryAllowlist.length === 0 || token.repositoryAllowlist.includes(repository.id);
}

function findRepository(call: Call): RepositoryRecord | Refusal {
  const repository = call.state.repositories.find((one) => one.id === call.params['repositoryId']);
  return repository !== undefined && canSee(call.token, repository) ? repository : notFound('The repository');
}

export function findScan(call: Call, scanId: string): ScanRecord | Refusal {
  const scan = call.state.scans.find((one) => one.id === scanId);
  return scan !== undefined && canSee(call.token, scan.repository) ? scan : notFound('The scan');
}

/** Returns the label of a finding: `ZK-` and the last eight characters of its id. */
export function labelOf(findingId: string): string {
  return `ZK-${findingId.slice(-8)}`;
}

/**
 * Finds a finding by its full id or by its label. The label may lack `ZK-`. If several findings have this label, the
 * answer is a conflict.
 */
function findFinding(call: Call): FindingRecord | Refusal {
  const wanted = call.params['findingId'] ?? '';
  const seen = [...call.state.findings.values()].filter((one) => canSee(call.token, one.repository));
  const exact = seen.find((one) => one.id === wanted);
  if (exact !== undefined) return exact;
  const label = wanted.startsWith('ZK-') ? wanted : `ZK-${wanted}`;
  const [first, ...more] = seen.filter((one) => labelOf(one.id) === label);
  if (more.length > 0) return conflict(`Several findings are labelled ${label}; use the full id.`);
  return first ?? notFound('The finding');
}

type Result = Answer | Refusal | Promise<Answer | Refusal>;

/** Makes the handler of a route from a function that needs the record in the path. */
function on<Subject extends object>(find: (call: Call) => Subject | Refusal) {
  return (handle: (call: Call, subject: Subject) => Result) =>
    (call: Call): Result => {
      const subject = find(call);
      return subject instanceof Refusal ? subject : handle(call, subject);
    };
}

export const onRepository = on(findRepository);
export const onFinding = on(findFinding);
export const onScan = on((call) => findScan(call, call.params['scanId'] ?? ''));
