import { ok, type Result } from '../domain/result.ts';
import { type BranchRules, readBranchRules, requiredWorkflows } from '../github/branch-rules.ts';
import { listCheckRuns } from '../github/check-run-list.ts';
import { mergeBaseByCompare } from '../github/compare.ts';
import { readEnvironmentRules } from '../github/environment-rules.ts';
import type { GitHubError } from '../github/github-error.ts';
import { readMergeQueue } from '../github/merge-queue.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { appOfCheck, hasRunSince } from '../github/past-runs.ts';
import { readProtectedBranch, readRepository } from '../github/repository.ts';
import { readForeignWorkflow, readWorkflowFiles } from '../github/workflow-files.ts';
import type { GitHubFacts } from './facts.ts';
import { BLOCKED_SINCE, environmentsOf, mayBeBlocked, targetWorkflow } from './fork-rows.ts';
import { gateOf } from './gate.ts';
import { checksOfUnknownApp } from './source-rows.ts';
import { tokenEnvironmentsOf } from './triage-rows.ts';

const NOTHING_FOLLOWS = { targetRuns: undefined, environments: new Map(), jobApps: new Map() };
const NOTHING = {
  branch: undefined,
  rules: undefined,
  comparison: undefined,
  checkRuns: undefined,
  workflows: undefined,
  repository: undefined,
  queue: undefined,
  foreign: [],
  ...NOTHING_FOLLOWS,
};

interface Asked {
  /** A commit to compare with the default branch. If empty, the newest commit of the default branch is used. */
  readonly headSha: string;
  readonly checkName: string;
  readonly serverUrl: string;
}

/** Reads all facts from GitHub. A failed read stops only the reads that need its answer. */
export async function readGitHub(
  github: GitHubClient,
  { headSha, checkName, serverUrl }: Asked,
  signal: AbortSignal,
): Promise<GitHubFacts> {
  const repository = await readRepository(github, signal);
  if (!repository.ok) return { ...NOTHING, defaultBranch: repository };
  const name = repository.value.defaultBranch;
  const defaultBranch = ok(name);
  const [branch, rules] = await Promise.all([
    readProtectedBranch(github, name, signal),
    readBranchRules(github, name, signal),
  ]);
  const start = { ...NOTHING, defaultBranch, branch, rules, repository: repository.value };
  if (!branch.ok) return start;
  const base = branch.value.sha;
  const [comparison, checkRuns, workflows, queue, foreign] = await Promise.all([
    mergeBaseByCompare(github, { base, head: headSha || base }, signal),
    listCheckRuns(github, base, checkName, signal),
    readWorkflowFiles(github, base, signal),
    branch.value.isProtected ? readMergeQueue(github, name, rules, signal) : ok('none' as const),
    readForeign(github, rules, repository.value.id, signal),
  ]);
  const facts = { ...start, comparison, checkRuns, workflows, queue, foreign };
  return { ...facts, ...(await readWhatFollows(github, facts, { checkName, serverUrl }, signal)) };
}

function readForeign(
  github: GitHubClient,
  rules: Result<BranchRules, GitHubError>,
  ownId: number | undefined,
  signal: AbortSignal,
): Promise<GitHubFacts['foreign']> {
  const wanted = rules.ok ? requiredWorkflows(rules.value.rules) : [];
  return Promise.all(
    wanted
      .filter(({ repositoryId }) => repositoryId !== ownId)
      .map(async (workflow) => ({ workflow, file: await readForeignWorkflow(github, workflow, signal) })),
  );
}

/** Makes the requests that depend on the workflows and the rules. */
async function readWhatFollows(
  github: GitHubClient,
  facts: GitHubFacts,
  { checkName, serverUrl }: Pick<Asked, 'checkName' | 'serverUrl'>,
  signal: AbortSignal,
): Promise<Pick<GitHubFacts, 'targetRuns' | 'environments' | 'jobApps'>> {
  const gate = gateOf(facts, { owner: github.owner, name: github.repo });
  if (gate === undefined) return NOTHING_FOLLOWS;
  const target = mayBeBlocked(gate, facts, serverUrl) ? targetWorkflow(gate) : undefined;
  const event = 'pull_request_target';
  const [targetRuns, environments, jobApps] = await Promise.all([
    target === undefined
      ? undefined
      : hasRunSince(github, { path: target, event, since: BLOCKED_SINCE }, signal),
    Promise.all(
      [...new Set([...environmentsOf(gate), ...tokenEnvironmentsOf(gate)])].map(
        async (name) => [name, await readEnvironmentRules(github, name, signal)] as const,
      ),
    ),
    Promise.all(
      checksOfUnknownApp(gate, checkName, serverUrl).map(async ({ name, ...run }) => {
        return [name, await appOfCheck(github, { name, ...run }, signal)] as const;
      }),
    ),
  ]);
  return { targetRuns, environments: new Map(environments), jobApps: new Map(jobApps) };
}
