import type { GitFixture } from '../../../sandbox/git-fixture.ts';
import { rememberGit } from '../../../sandbox/git-process.ts';
import { createCheckRunStore } from '../../../sandbox/github/check-runs.ts';
import { createCommentStore } from '../../../sandbox/github/comments.ts';
import { createGitMirror, type GitMirror } from '../../../sandbox/github/git-mirror.ts';
import type { GitHubState } from '../../../sandbox/github/route.ts';
import { type FakeGitHub, startFakeGitHub } from '../../../sandbox/github/server.ts';
import { createWorkflowRunStore } from '../../../sandbox/github/workflow-runs.ts';
import {
  type Analysis,
  type AnalysisTarget,
  analyze,
} from '../../../sandbox/scan-service/analyzer/analyze.ts';
import { createState } from '../../../sandbox/scan-service/create-state.ts';
import type { HiddenFields } from '../../../sandbox/scan-service/options.ts';
import type { ServiceState } from '../../../sandbox/scan-service/state.ts';
import type { VirtualTime } from '../../support/driver/virtual-time.ts';
import { BASE_BRANCHES, createFixtureRepository } from './fixture-repository.ts';
import type { Hidden, History } from './plan.ts';
import { createPullRequests, type PullRequests } from './pull-requests.ts';
import { SMALL_AREA } from './stranger.ts';

export const REPOSITORY = 'octo-org/octo-repo';
export const PULL_REQUEST = 7;
/** The second pull request. Its head branch is that of the first one. */
export const SECOND_PULL_REQUEST = 8;
const REQUEST_CEILING = { requestCeiling: { requests: 1_000_000, windowSeconds: 60 } };
/** No server listens at these addresses, so a request outside the network of the history fails. */
export const ADDRESSES = {
  service: 'http://127.0.0.1:1/api/v1',
  github: 'http://127.0.0.1:2/api/v3',
  graphql: 'http://127.0.0.1:2/api/graphql',
} as const;

/** What all histories share. It never changes. */
export interface SharedFixture {
  readonly repository: GitFixture;
  readonly mirror: GitMirror;
  /** Git fetches from this server if GitHub does not answer a run's comparison. */
  readonly gitHost: FakeGitHub;
  /** Finds what the service's analyzer finds, and analyzes each change only once. */
  readonly analyze: (target: AnalysisTarget) => Promise<Analysis>;
  close(): Promise<void>;
}

export async function openSharedFixture(): Promise<SharedFixture> {
  const repository = await createFixtureRepository();
  // From here on the repository is only read, so git has to answer each question only once.
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
  readonly pulls: PullRequests;
  /** The wall clock at the start, in milliseconds. */
  readonly startedAt: number;
  /** The tip of the head branch of the pull requests. */
  branchHead(): string;
  setBranchHead(sha: string): void;
  /** From now on, scans find the vulnerabilities. */
  openEyes(): void;
}

const SHOWN = ['repositoryId', 'presetRef', 'baseCommit', 'commit', 'creditBudget', 'createdAt'];
const HIDDEN: Readonly<Record<Hidden, HiddenFields>> = {
  nothing: {},
  scope: {
    scanDetail: ['auditAreaKeys', 'guidanceApplied', 'creditBudget'],
    progress: ['reservedCredits'],
  },
  areas: { scanDetail: ['auditAreaKeys'] },
  guidance: { scanDetail: ['guidanceApplied'] },
  // The progress of a scan still shows the budget.
  budget: { scanDetail: ['creditBudget'] },
  base: { scanDetail: ['baseCommit'], scanItem: ['baseCommit'] },
  commit: { scanDetail: ['commit'], scanItem: ['commit'] },
  everything: {
    scanDetail: [...SHOWN, 'auditAreaKeys', 'guidanceApplied'],
    scanItem: SHOWN,
    progress: ['reservedCredits'],
  },
};

/** The members of a scan's detail and progress that the service of this history hides. */
export function hiddenMembers({ hides }: Pick<History, 'hides'>): readonly string[] {
  const { scanDetail = [], progress = [] } = HIDDEN[hides];
  return [...scanDetail, ...progress];
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
  const repository = { fullName: REPOSITORY, urls };
  const clock = { now: time.date };
  const pulls = createPullRequests(time, fixture.repository, repository, history.githubLagMs);
  let branchHead = headSha;
  let isBlind = history.blind;
  const { scanItem = [], ...hidden } = HIDDEN[history.hides];
  const service = createState({
    repositories: [{ owner, name, url: urls.html, gitDir: fixture.repository.dir }],
    credits: 1_000_000,
    tokens: [REQUEST_CEILING],
    pace: { phasesPerPoll: history.phasesPerPoll },
    retryAfterSeconds: history.retryAfterSeconds,
    clock,
    analyze: async (target) => {
      const wasBlind = isBlind;
      const analysis = await fixture.analyze(target);
      return wasBlind ? { ...analysis, vulnerabilities: [] } : analysis;
    },
    survey: async () => ({ branches: [], files: [] }),
    hideFields: {
      ...hidden,
      scanItem: [...scanItem, ...(history.terse ? ['baseCommit', 'commit', 'presetRef'] : [])],
    },
  });
  service.repositories[0]?.areas.push({
    key: SMALL_AREA,
    name: 'Small',
    description: null,
    source: 'custom',
  });
  const refs = async () =>
    new Map(
      BASE_BRANCHES.flatMap((branch) => {
        const tip = pulls.tip(branch);
        return tip === undefined ? [] : [[`refs/heads/${branch}`, tip] as const];
      }),
    );
  return {
    service,
    apiToken: service.tokens[0]?.token ?? '',
    github: {
      owner,
      fullName: REPOSITORY,
      urls,
      mirror: { ...fixture.mirror, refs },
      checkRuns: createCheckRunStore(urls, clock),
      comments: createCommentStore(urls, clock),
      workflowRuns: createWorkflowRunStore(urls, clock),
      pullRequests: pulls.shown,
      collaborators: {},
      isPublic: false,
    },
    pulls,
    startedAt: time.date().getTime(),
    branchHead: () => branchHead,
    setBranchHead: (sha) => {
      branchHead = sha;
    },
    openEyes: () => {
      isBlind = false;
    },
  };
}

function createMemory(): SharedFixture['analyze'] {
  const known = new Map<string, Promise<Analysis>>();
  return (target) => {
    // There is only one audit area, so the key need not name the area of a scan.
    const key = JSON.stringify({ ...target, isScoped: target.inScope !== undefined });
    const found = known.get(key) ?? analyze(target);
    known.set(key, found);
    return found;
  };
}
