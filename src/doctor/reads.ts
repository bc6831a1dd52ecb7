import { readGuidanceFile } from '../change/guidance-file.ts';
import type { Finding } from '../domain/finding.ts';
import { UNTITLED } from '../domain/finding.ts';
import { ok, type Result } from '../domain/result.ts';
import type { ListedScan, ScanList } from '../domain/scan.ts';
import {
  type BranchRules,
  readBranchRules,
  readMergeQueue,
  requiredWorkflows,
} from '../github/branch-rules.ts';
import { listCheckRuns } from '../github/check-run.ts';
import { mergeBaseByCompare } from '../github/compare.ts';
import type { GitHubError } from '../github/errors.ts';
import type { GitHub, GitHubClient } from '../github/octokit.ts';
import {
  type RepositoryOnGitHub,
  readEnvironmentRules,
  readLanguages,
  readProtectedBranch,
  readRepository,
} from '../github/repository.ts';
import { appOfCheck, hasRunSince, readForeignWorkflow, readWorkflowFiles } from '../github/workflows.ts';
import { chooseProject, readLists } from '../preflight/preflight.ts';
import { readStoredGuidance } from '../preflight/token-check.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { foundRepository } from './diagnose.ts';
import type { DoctorFacts, FindingFacts, GitHubFacts, GuidanceFacts, ServiceFacts } from './facts.ts';
import { environmentsOf, mayBeBlocked, RECENT_DAYS, targetWorkflow } from './fork-rows.ts';
import { gateOf, isForeign } from './gate.ts';
import { namesPaths } from './policy-rows.ts';
import { checksOfUnknownApp } from './source-rows.ts';
import { tokenEnvironmentsOf } from './triage-rows.ts';

interface Asked {
  /** A commit to compare with the default branch. If empty, the newest commit of the default branch is used. */
  readonly headSha: string;
  readonly checkName: string;
  readonly serverUrl: string;
  readonly now: Date;
}

/** Reads all facts from GitHub. A failed read stops only the reads that need its answer. */
export async function readGitHub(github: GitHubClient, { headSha, ...asked }: Asked): Promise<GitHubFacts> {
  const repository = await readRepository(github);
  if (!repository.ok) return { defaultBranch: repository };
  const name = repository.value.defaultBranch;
  const defaultBranch = ok(name);
  const [branch, rules] = await Promise.all([
    readProtectedBranch(github, name),
    readBranchRules(github, name),
  ]);
  const start = { defaultBranch, branch, rules, repository: repository.value };
  if (!branch.ok) return start;
  const base = branch.value.sha;
  const [comparison, checkRuns, workflows, queue, foreign] = await Promise.all([
    mergeBaseByCompare(github, { base, head: headSha || base }),
    listCheckRuns(github, base, asked.checkName),
    readWorkflowFiles(github, base),
    branch.value.isProtected ? readMergeQueue(github, name, rules) : ok('none' as const),
    readForeign(github, rules, repository.value),
  ]);
  const facts = { ...start, comparison, checkRuns, workflows, queue, foreign };
  return { ...facts, ...(await readWhatFollows(github, facts, asked)) };
}

function readForeign(
  github: GitHubClient,
  rules: Result<BranchRules, GitHubError>,
  own: RepositoryOnGitHub,
): Promise<NonNullable<GitHubFacts['foreign']>> {
  const wanted = rules.ok ? requiredWorkflows(rules.value.rules) : [];
  return Promise.all(
    wanted
      .filter((workflow) => isForeign(workflow, own))
      .map(async (workflow) => ({ workflow, file: await readForeignWorkflow(github, workflow) })),
  );
}

/** Makes the requests that depend on the workflows and the rules. */
async function readWhatFollows(
  github: GitHubClient,
  facts: GitHubFacts,
  { checkName, serverUrl, now }: Omit<Asked, 'headSha'>,
): Promise<Partial<GitHubFacts>> {
  const gate = gateOf(facts, { owner: github.owner, name: github.repo });
  if (gate === undefined) return {};
  const target = mayBeBlocked(gate, facts, serverUrl) ? targetWorkflow(gate) : undefined;
  const event = 'pull_request_target';
  const [targetRuns, environments, jobApps, languages] = await Promise.all([
    target === undefined
      ? undefined
      : hasRunSince(github, { path: target, event, since: daysAgo(now, RECENT_DAYS) }),
    Promise.all(
      [...new Set([...environmentsOf(gate), ...tokenEnvironmentsOf(gate)])].map(
        async (name) => [name, await readEnvironmentRules(github, name)] as const,
      ),
    ),
    Promise.all(
      checksOfUnknownApp(gate, checkName, serverUrl).map(async ({ name, ...run }) => {
        return [name, await appOfCheck(github, { name, ...run })] as const;
      }),
    ),
    namesPaths(gate) ? readLanguages(github) : undefined,
  ]);
  return { targetRuns, environments: new Map(environments), jobApps: new Map(jobApps), languages };
}

/** Returns the day that many days ago, as `YYYY-MM-DD` in UTC. */
function daysAgo(now: Date, days: number): string {
  return new Date(now.getTime() - days * 24 * 60 * 60_000).toISOString().slice(0, 10);
}

/** The requests of the doctor. None of them changes anything. */
export type ReadingApi = Pick<
  ScanApi,
  'token' | 'repositories' | 'presets' | 'scans' | 'readScan' | 'sampleFindings'
>;

/**
 * Reads all facts from the service. A failed read stops only the reads that depend on it.
 * @param given the input `project-id`
 */
export async function readService(
  api: ReadingApi,
  given: string | undefined,
  signal: AbortSignal,
): Promise<ServiceFacts> {
  const token = await api.token({ signal });
  const isKnown = token.ok || given !== undefined;
  const projectId = isKnown ? chooseProject(given, token.ok ? token.value : undefined) : undefined;
  const isUseless = !token.ok && isAboutAll(token.error);
  if (isUseless || projectId === undefined || !projectId.ok) {
    return { token, projectId, lists: undefined, scan: undefined, findings: undefined };
  }
  const id = projectId.value;
  const [lists, sampled] = await Promise.all([
    readLists(api, id, signal),
    api.sampleFindings(id, { signal }),
  ]);
  const sample = lists.scans.ok ? sampleOf(lists.scans.value) : undefined;
  const scan = sample === undefined ? undefined : await api.readScan(id, sample, { signal });
  const findings = sampled.ok ? ok(sampled.value.map(findingFacts)) : sampled;
  return { token, projectId, lists, scan, findings };
}

/** The members of a finding that the doctor keeps. Pure. */
export function findingFacts({ id, title, location, severity }: Finding): FindingFacts {
  return {
    hasId: id !== undefined,
    hasTitle: title !== UNTITLED,
    hasPlace: location !== undefined,
    severity,
  };
}

/** True if all further requests to the service would fail for the same cause. */
function isAboutAll(error: ApiError): boolean {
  return error.kind !== 'refused' || error.status === 401;
}

/** Chooses the scan that probably shows the most members. A completed diff scan is best. */
function sampleOf({ scans }: ScanList): string | undefined {
  const rank = ({ status, baseSha }: ListedScan) =>
    Number(status === 'COMPLETED') + 2 * Number(baseSha !== undefined);
  return scans.filter(({ id }) => id !== undefined).toSorted((a, b) => rank(b) - rank(a))[0]?.id;
}

/**
 * Reads the guidance that a scan of the default branch would get. It consists of the file and of the guidance that the
 * service stores. Undefined if the input `guidance-file` is empty.
 */
export async function readGuidance(
  service: ScanApi | undefined,
  github: GitHub | undefined,
  facts: DoctorFacts,
  signal: AbortSignal,
): Promise<GuidanceFacts | undefined> {
  const path = facts.reading.inputs.setup.guidanceFile;
  if (path === undefined) return undefined;
  const branch = facts.github?.branch;
  const repository = foundRepository(facts);
  const projectId = facts.service?.projectId;
  const [file, stored] = await Promise.all([
    github !== undefined && branch?.ok
      ? readGuidanceFile({ github, signal }, path, branch.value.sha)
      : undefined,
    service !== undefined && projectId?.ok && repository?.ok
      ? readStoredGuidance(service, projectId.value, repository.value.id, signal)
      : undefined,
  ]);
  return { path, file, stored };
}
