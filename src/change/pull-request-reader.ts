import type { Clock } from '../clock.ts';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubAccess } from '../github/access.ts';
import { type BranchTip, readBranchTip } from '../github/branch-tip.ts';
import type { GitHubError } from '../github/github-error.ts';
import { type ReadPullRequest, readPullRequestState } from '../github/pull-request-state.ts';
import {
  contradictory,
  type Freshness,
  type JudgedAnswer,
  judgeAnswer,
  type KnownPullRequest,
} from './freshness.ts';
import { readPastLag } from './read-lag.ts';

export interface PullRequestReaderDeps extends GitHubAccess {
  readonly clock: Clock;
  /** Reads the pull request. The default asks GitHub. */
  readonly read?: ReadPullRequest | undefined;
}

/** The last answer, and what it means. */
export interface JudgedRead extends JudgedAnswer {
  readonly answer: Awaited<ReturnType<ReadPullRequest>>;
}

/** Reads the pull request. While GitHub's answer may be out of date, reads up to three more times. */
export function readFreshPullRequest(
  deps: PullRequestReaderDeps,
  number: number,
  known: KnownPullRequest,
): Promise<JudgedRead> {
  return readPastLag(deps, () => readAndJudge(deps, number, known), mayLag);
}

/** The full id of the newest commit of the base branch, or the error of the read. Undefined if it is not needed. */
type Tip = Result<string, GitHubError> | undefined;

/**
 * Reads the pull request like `readFreshPullRequest`. If the pull request is open, also reads the tip of its base
 * branch.
 */
export async function readWithBaseTip(
  deps: PullRequestReaderDeps,
  number: number,
  known: KnownPullRequest,
): Promise<{ readonly freshness: Freshness; readonly tip: Tip }> {
  const found = await readPastLag(
    deps,
    async () => {
      const judged = await readAndJudge(deps, number, known);
      return judged.mayLag ? { ...judged, tip: undefined } : findTip(deps, known, judged);
    },
    mayLag,
  );
  return found.mayLag ? findTip(deps, known, found) : found;
}

async function readAndJudge(
  { github, clock, signal, read }: PullRequestReaderDeps,
  number: number,
  known: KnownPullRequest,
): Promise<JudgedRead> {
  const answer = await (read?.(signal) ?? readPullRequestState(github, number, signal, known.previousHead));
  return { ...judgeAnswer(known, answer, clock.date()), answer };
}

function mayLag(judged: JudgedAnswer): boolean {
  return judged.mayLag;
}

async function findTip(
  { github, signal }: PullRequestReaderDeps,
  known: KnownPullRequest,
  judged: JudgedAnswer,
): Promise<JudgedAnswer & { readonly tip: Tip }> {
  const branch = openBranch(judged.freshness, known);
  if (branch === undefined) return { ...judged, tip: undefined };
  const { name, shown } = branch;
  const tip = shown === undefined ? await readBranchTip(github, name, signal) : ok(shown);
  if (!tip.ok) return { ...judged, tip };
  if (tip.value.kind === 'gone') return { ...contradictory(name), tip: undefined };
  return { ...judged, tip: ok(tip.value.sha) };
}

/** Returns the base branch of an open pull request. `shown` is its tip, if GitHub shows it. */
function openBranch(
  freshness: Freshness,
  known: KnownPullRequest,
): { readonly name: string; readonly shown: BranchTip | undefined } | undefined {
  switch (freshness.kind) {
    case 'current': {
      const { isOpen, baseName: name, baseTip: shown } = freshness.state;
      return isOpen ? { name, shown } : undefined;
    }
    case 'known-serves':
      return known.isOpen ? { name: known.baseName, shown: undefined } : undefined;
    default:
      return undefined;
  }
}
