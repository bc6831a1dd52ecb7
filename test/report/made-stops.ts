import { refuseTarget } from '../../src/admission.ts';
import type { NotScanned } from '../../src/domain/not-scanned.ts';
import { err, ok, type Result } from '../../src/domain/result.ts';
import type { ScanTarget, TargetPullRequest } from '../../src/domain/target.ts';
import { readEnvironment } from '../../src/github/environment.ts';
import { readTarget } from '../../src/github/event.ts';
import type { GitHubClient } from '../../src/github/octokit.ts';
import { pullRequestEvent } from '../../src/sandbox/events.ts';
import { followScan } from '../../src/scan/wait.ts';
import type { Operation } from '../../src/scan-api/api-error.ts';
import { explainApiError } from '../../src/scan-api/explain-error.ts';
import { FakeClock } from '../fake-clock.ts';
import { HEAD, sampleTarget } from './sample-report.ts';

// What people read in these states is made by the code that says it, so that the pictures cannot differ from it.

const NEVER = new AbortController().signal;

/** A GitHub that knows nobody with write permission. */
const STRANGER_TO_ALL: GitHubClient = {
  owner: 'acme',
  repo: 'shop',
  graphqlUrl: '',
  ask: async ({ operation, permission }) =>
    err({ kind: 'not-found', operation, permission, status: 404, message: '', mayHaveHappened: false }),
  pauseAfterLoss: async () => {},
};

/** The service says no. */
export function refused(operation: Operation, status: number, code: string): NotScanned {
  return explainApiError({
    kind: 'refused',
    operation,
    status,
    code,
    message: '',
    retryAfterSeconds: undefined,
    tooFresh: false,
  });
}

/** Why a change is not admitted. Throws where it is. */
export async function refusedTarget(
  event: ScanTarget['event'],
  pullRequest: Partial<TargetPullRequest>,
  apiToken: string,
): Promise<NotScanned> {
  const target = sampleTarget({ event, pullRequest });
  const stop = await refuseTarget(STRANGER_TO_ALL, target, { apiToken, scanForks: 'trusted' }, NEVER);
  if (stop === undefined) throw new Error('the change is admitted');
  return stop;
}

export function closedPullRequest(): NotScanned {
  const environment = expectOk(
    readEnvironment({
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: '/event.json',
      GITHUB_REPOSITORY: 'acme/shop',
    }),
  );
  const payload = { repository: 'acme/shop', number: 128, headSha: HEAD, baseRef: 'main', action: 'closed' };
  const read = readTarget(environment, pullRequestEvent(payload));
  if (read.ok) throw new Error('a closed pull request is a target');
  return read.error;
}

export async function failedScan(): Promise<NotScanned> {
  const progress = {
    phasesCompleted: undefined,
    phasesTotal: undefined,
    weighted: undefined,
    reservedCredits: undefined,
  };
  const subject = {
    repositoryId: undefined,
    presetRef: undefined,
    baseCommit: undefined,
    commit: undefined,
    createdAt: undefined,
  };
  const scan = { ...subject, id: 'scn_01HZX5M3', status: 'FAILED', progress };
  const followed = await followScan(
    {
      api: { scan: async () => ok({ scan, retryAfterMs: undefined }) },
      clock: new FakeClock(),
      signal: NEVER,
    },
    { projectId: 'prj_1', scanId: scan.id, expected: { baseCommit: undefined, commit: undefined } },
  );
  if (followed.kind === 'completed') throw new Error('a failed scan counts as completed');
  return followed.stop;
}

function expectOk<T>(result: Result<T, NotScanned>): T {
  if (!result.ok) throw new Error(result.error.cause);
  return result.value;
}
