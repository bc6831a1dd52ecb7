import { createHash } from 'node:crypto';
import type { Answer } from '../../faults/interception.ts';
import { beginWork } from '../begin-work.ts';
import { readCommits } from '../commits.ts';
import { planPhases } from '../phases.ts';
import { badRequest, Refusal, rateLimited } from '../refusal.ts';
import { showLaunch } from '../serializers.ts';
import type { Call, RepositoryRecord, ScanRecord, ServiceState } from '../state.ts';
import { type LaunchRequest, readLaunch } from './launch-request.ts';

export async function launchScan(call: Call): Promise<Answer | Refusal> {
  const { state } = call;
  const request = readLaunch(call);
  if (request instanceof Refusal) return request;
  if (request.repository.readiness !== 'ready') {
    const message = 'The repository is still being analyzed for the first time.';
    return new Refusal(409, 'repository_initializing', message);
  }
  const commit = await resolveCommits(request);
  if (commit instanceof Refusal) return commit;
  // Nothing is awaited after this line. Otherwise two simultaneous launches could both take the last credits.
  const refusal = refuseSpending(call, request.creditBudget);
  if (refusal !== undefined) return refusal;
  const id = scanId(state);
  if (!state.ledger.reserve(id, request.creditBudget)) {
    const { balance } = state.ledger.state();
    const message = `The organization has ${balance} credits; this scan reserves ${request.creditBudget}.`;
    return new Refusal(402, 'insufficient_credits', message);
  }
  const scan = dispatch(call, request, id, commit);
  state.scans.push(scan);
  return { status: 202, body: showLaunch(state, scan) };
}

/** Finds both commits in the repository. Returns the id of the commit to scan. */
async function resolveCommits(request: LaunchRequest): Promise<string | Refusal> {
  const { repository, baseCommit } = request;
  const names = [request.commit ?? defaultTip(repository), ...(baseCommit === null ? [] : [baseCommit])];
  const [commit, base] = await readCommits(repository.gitDir, names);
  if (commit === undefined) return badRequest('The commit to scan is unknown in the repository.');
  if (baseCommit === null) return commit.id;
  if (base === undefined) {
    return new Refusal(400, 'diff_base_invalid', 'baseCommit is unknown in the repository.');
  }
  if (base.tree === commit.tree) {
    return new Refusal(422, 'diff_empty', 'There is no change between baseCommit and the commit.');
  }
  return commit.id;
}

function defaultTip(repository: RepositoryRecord): string {
  return repository.defaultBranch === null ? 'HEAD' : `refs/heads/${repository.defaultBranch}`;
}

/**
 * Refuses a launch above the spend limit of the token. Counts all credits that the token's scans of this calendar month
 * have reserved or spent.
 */
function refuseSpending({ state, token }: Call, budget: number): Refusal | undefined {
  if (token.spendLimit === null) return undefined;
  const now = state.now();
  const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const ofPeriod = state.scans.filter(
    (scan) => scan.keyId === token.keyId && scan.createdAt.getTime() >= begin,
  );
  const committed = state.ledger.committedBy(new Set(ofPeriod.map((scan) => scan.id)));
  if (committed + budget <= token.spendLimit) return undefined;
  return rateLimited(
    `The spend limit of this token is ${token.spendLimit} credits a month.`,
    end - now.getTime(),
  );
}

function scanId(state: ServiceState): string {
  const seed = `${state.project.id}/${state.scans.length}`;
  return state.settings.scanId(createHash('sha256').update(seed).digest('hex'));
}

function dispatch({ state, token }: Call, request: LaunchRequest, id: string, commit: string): ScanRecord {
  const { pace } = state.settings;
  const { held = pace.hold, ending = pace.ending } = state.next;
  state.next = {};
  const launched = { ...request, id, commit };
  return {
    ...launched,
    ...beginWork(state, launched),
    keyId: token.keyId,
    createdAt: state.now(),
    phases: planPhases(request.creditBudget),
    status: 'QUEUED',
    phasesFinished: 0,
    finishedAt: null,
    held,
    ending,
    found: [],
    coverage: null,
  };
}
