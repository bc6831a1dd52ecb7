import type { GitFixture } from '../../../sandbox/git-fixture.ts';
import {
  changePullRequest,
  type PullRequestChange,
  type PullRequestRecord,
  toPullRequest,
} from '../../../sandbox/github/pull-requests.ts';
import type { GitHubState } from '../../../sandbox/github/route.ts';
import type { VirtualTime } from '../../support/driver/virtual-time.ts';
import { BASE_BRANCHES, type BaseBranch, TIPS } from './fixture-repository.ts';

/** A state that a pull request has from the time `from` on. Reads of GitHub show it from `shownFrom` on. */
export interface PullRequestMoment {
  readonly from: number;
  readonly shownFrom: number;
  readonly record: PullRequestRecord;
}

/** The tip of a base branch from the time `from` on. Undefined if the branch is deleted. */
export interface TipMoment {
  readonly from: number;
  readonly tip: string | undefined;
}

/** The pull requests and base branches of a history: now, in the past, and as GitHub's reads show them. */
export interface PullRequests {
  /** The pull requests as GitHub's reads show them. */
  readonly shown: ReadonlyMap<number, PullRequestRecord>;
  /** All pull requests, in the order in which they were opened. */
  numbers(): readonly number[];
  now(number: number): PullRequestRecord;
  open(number: number, headSha: string, baseRef: BaseBranch): void;
  change(number: number, change: PullRequestChange): void;
  tip(branch: string): string | undefined;
  setTip(branch: BaseBranch, tip: string | undefined): void;
  /** The states of a pull request, the oldest first. */
  momentsOf(number: number): readonly PullRequestMoment[];
  tipsOf(branch: string): readonly TipMoment[];
}

export function createPullRequests(
  time: VirtualTime,
  { id }: Pick<GitFixture, 'id'>,
  repository: Pick<GitHubState, 'fullName' | 'urls'>,
  lagMs: number,
): PullRequests {
  const shown = new Map<number, PullRequestRecord>();
  const moments = new Map<number, PullRequestMoment[]>();
  const tips = new Map<string, TipMoment[]>(
    BASE_BRANCHES.map((branch) => [branch, [{ from: 0, tip: id(TIPS[branch][0]) }]]),
  );
  const momentsOf = (number: number) => moments.get(number) ?? [];
  const now = (number: number): PullRequestRecord => {
    const newest = momentsOf(number).at(-1);
    if (newest === undefined) throw new Error(`there is no pull request ${number}`);
    return newest.record;
  };
  const set = (number: number, record: PullRequestRecord, lag: number) => {
    const shownFrom = time.now() + lag;
    moments.set(number, [...momentsOf(number), { from: time.now(), shownFrom, record }]);
    if (lag === 0) shown.set(number, record);
    else time.after(lag, () => void shown.set(number, record));
  };
  return {
    shown,
    numbers: () => [...moments.keys()],
    now,
    // GitHub sends the event of a new pull request only when its reads show the pull request. So there is no lag here.
    open: (number, headSha, baseRef) =>
      set(number, toPullRequest({ number, headSha, baseRef }, repository, time.date()), 0),
    change: (number, change) => set(number, changePullRequest(now(number), change, time.date()), lagMs),
    tip: (branch) => tips.get(branch)?.at(-1)?.tip,
    setTip: (branch, tip) => void tips.set(branch, [...(tips.get(branch) ?? []), { from: time.now(), tip }]),
    momentsOf,
    tipsOf: (branch) => tips.get(branch) ?? [],
  };
}
