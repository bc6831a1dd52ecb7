import type { GitFixture } from '../../../sandbox/git-fixture.ts';
import { rememberGit } from '../../../sandbox/git-process.ts';
import type { Permissions } from '../../../sandbox/github/access.ts';
import { createCheckRunStore } from '../../../sandbox/github/check-runs.ts';
import { createCommentStore } from '../../../sandbox/github/comments.ts';
import { createGitMirror, type GitMirror } from '../../../sandbox/github/git-mirror.ts';
import {
  changePullRequest,
  type PullRequestRecord,
  toPullRequest,
} from '../../../sandbox/github/pull-requests.ts';
import type { GitHubState } from '../../../sandbox/github/routes.ts';
import { type FakeGitHub, startFakeGitHub } from '../../../sandbox/github/server.ts';
import { createWorkflowRunStore } from '../../../sandbox/github/workflow-runs.ts';
import {
  type Analysis,
  type AnalysisTarget,
  analyze,
} from '../../../sandbox/scan-service/analyzer/analyze.ts';
import { createState } from '../../../sandbox/scan-service/create-state.ts';
import type { ServiceState } from '../../../sandbox/scan-service/state.ts';
import type { VirtualTime } from '../../support/driver/virtual-time.ts';
import { createFixtureRepository } from './fixture-repository.ts';
import { SMALL_AREA } from './other-user.ts';
import type { History } from './plan.ts';

export const REPOSITORY = 'octo-org/octo-repo';
export const PULL_REQUEST = 7;
const REQUEST_CEILING = { requestCeiling: { requests: 1_000_000, windowSeconds: 60 } };
/** No server listens there: a request outside the network of the history fails. */
export const ADDRESSES = {
  service: 'http://127.0.0.1:1/api/v1',
  github: 'http://127.0.0.1:2/api/v3',
  graphql: 'http://127.0.0.1:2/api/graphql',
} as const;

/** What all histories share: nothing in it changes. */
export interface SharedFixture {
  readonly repository: GitFixture;
  readonly mirror: GitMirror;
  /** Where git fetches from, for a run that GitHub's comparison does not answer. */
  readonly gitHost: FakeGitHub;
  readonly permissions: Permissions;
  /** As the analyzer, which looks at each change once. */
  readonly analyze: (target: AnalysisTarget) => Promise<Analysis>;
  close(): Promise<void>;
}

export async function openSharedFixture(): Promise<SharedFixture> {
  const repository = await createFixtureRepository();
  // It is only read from here on.
  rememberGit(repository.dir);
  const mirror = createGitMirror({ dir: repository.dir, pullRequestHeads: () => new Map() });
  const gitHost = await startFakeGitHub({
    repository: REPOSITORY,
    directory: repository.dir,
    visibility: 'private',
  });
  return {
    repository,
    mirror,
    gitHost,
    analyze: createMemory(),
    permissions: { contents: 'read', checks: 'write', 'pull-requests': 'write' },
    close: async () => {
      await Promise.all([gitHost.close(), mirror.remove()]);
      await repository.remove();
    },
  };
}

/** GitHub and the scanning service of one history. */
export interface HistoryEnvironment {
  readonly service: ServiceState;
  readonly apiToken: string;
  readonly github: GitHubState;
  readonly pullRequests: Map<number, PullRequestRecord>;
  headSha(): string;
  setHead(sha: string): void;
}

export function openEnvironment(
  fixture: SharedFixture,
  history: History,
  time: VirtualTime,
  headSha: string,
): HistoryEnvironment {
  const { serverUrl } = fixture.gitHost;
  const [owner = '', name = ''] = REPOSITORY.split('/');
  const urls = {
    api: `${ADDRESSES.github}/repos/${REPOSITORY}`,
    html: `${serverUrl}/${REPOSITORY}`,
  };
  const repository = { fullName: REPOSITORY, ...urls };
  const pullRequests = new Map([
    [PULL_REQUEST, toPullRequest({ number: PULL_REQUEST, headSha, baseRef: 'main' }, repository)],
  ]);
  const pull = () => {
    const found = pullRequests.get(PULL_REQUEST);
    if (found === undefined) throw new Error('the pull request is gone');
    return found;
  };
  const service = createState({
    repositories: [{ owner, name, url: urls.html, gitDir: fixture.repository.dir }],
    credits: 1_000_000,
    tokens: [REQUEST_CEILING, REQUEST_CEILING],
    pace: { phasesPerPoll: history.phasesPerPoll },
    retryAfterSeconds: history.retryAfterSeconds,
    clock: { now: time.date },
    analyze: fixture.analyze,
    survey: async () => ({ branches: [], files: [] }),
    hideFields: {
      ...(history.terse ? { scanItem: ['baseCommit', 'commit', 'presetRef'] } : {}),
      ...(history.hidesScope
        ? {
            scanDetail: ['auditAreaKeys', 'guidanceApplied', 'creditBudget'],
            progress: ['reservedCredits'],
          }
        : {}),
    },
  });
  service.repositories[0]?.areas.push({
    key: SMALL_AREA,
    name: 'Small',
    description: null,
    source: 'custom',
  });
  return {
    service,
    apiToken: service.tokens[0]?.token ?? '',
    github: {
      owner,
      fullName: REPOSITORY,
      urls,
      mirror: fixture.mirror,
      checkRuns: createCheckRunStore(urls),
      comments: createCommentStore(urls),
      workflowRuns: createWorkflowRunStore(urls),
      pullRequests,
      collaborators: {},
      isPublic: false,
    },
    pullRequests,
    headSha: () => pull().headSha,
    setHead: (headSha) =>
      void pullRequests.set(PULL_REQUEST, changePullRequest(pull(), { headSha }, time.date())),
  };
}

function createMemory(): SharedFixture['analyze'] {
  const known = new Map<string, Promise<Analysis>>();
  return (target) => {
    const key = JSON.stringify(target);
    const found = known.get(key) ?? analyze(target);
    known.set(key, found);
    return found;
  };
}
