import {
  type RequiredCheck,
  requiredChecks,
  requiredWorkflows,
  requireMore,
} from '../github/branch-rules.ts';
import {
  type Check,
  callableGateJobs,
  checksOf,
  eventsOf,
  type GateCheck,
  gateChecks,
  mentionsGate,
  type Place,
  readWorkflows,
} from '../workflow/check.ts';
import { CHANGE_EVENTS, QUEUE_EVENT } from '../workflow/filters.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { GitHubFacts, RepositoryFacts } from './facts.ts';

/** A job that runs the gate on pull requests or merge groups. */
export interface GateJob {
  readonly check: GateCheck;
  /** Its names that the branch requires. */
  readonly required: readonly string[];
  /** A ruleset requires the workflow as a whole. GitHub then ignores its filters. */
  readonly byRule: boolean;
}

/** What the workflow files and the rules of the default branch say of the gate. */
export interface Gate {
  readonly branch: string;
  /** `owner/name` */
  readonly repository: string;
  readonly required: readonly RequiredCheck[];
  /** All that the branch requires, and all workflows, are known. */
  readonly isWhole: boolean;
  readonly workflows: readonly Workflow[];
  /** Files that use the gate and are not understood. */
  readonly unclear: readonly string[];
  /** All files of this repository that are not understood. */
  readonly unread: readonly string[];
  /** The names of jobs of the gate that other workflows can call. */
  readonly callable: readonly string[];
  /** The checks of all jobs, on any event. */
  readonly checks: readonly Check[];
  readonly jobs: readonly GateJob[];
}

/** Undefined: the branch, its rules or the workflows were not read. Pure. */
export function gateOf(
  { defaultBranch, branch, rules, workflows, repository: shown, foreign }: GitHubFacts,
  { owner, name }: Pick<RepositoryFacts, 'owner' | 'name'>,
): Gate | undefined {
  if (!defaultBranch.ok || !branch?.ok || !rules?.ok || !workflows?.ok) return undefined;
  const repository = `${owner}/${name}`;
  const { requiredChecks: classic, isProtected } = branch.value;
  const required = [...requiredChecks(rules.value.rules), ...(classic ?? [])];
  const wanted = requiredWorkflows(rules.value.rules);
  const ownPaths = new Set(wanted.filter((one) => one.repositoryId === shown?.id).map(({ path }) => path));
  const own = readWorkflows(workflows.value.files);
  const others = readWorkflows(foreign.flatMap(({ file }) => (file.ok ? [file.value] : [])));
  const checks = checksOf(own.readable, repository);
  const names = new Set(required.map((one) => one.name));
  const jobs = [
    ...gateChecks(checks).map((check) => ({
      check,
      required: check.names?.filter((one) => names.has(one)) ?? [],
      byRule: ownPaths.has(check.chain[0].workflow.path),
    })),
    ...gateChecks(checksOf(others.readable, repository)).map((check) => ({
      check,
      required: [],
      byRule: true,
    })),
  ];
  return {
    branch: defaultBranch.value,
    repository,
    required,
    isWhole:
      rules.value.complete &&
      workflows.value.complete &&
      own.unreadable.length === 0 &&
      foreign.every(({ file }) => file.ok) &&
      !requireMore(rules.value.rules) &&
      // GitHub says that something protects the branch, and not what.
      !(classic === undefined && isProtected),
    workflows: own.readable,
    unclear: [...own.unreadable, ...others.unreadable]
      .filter(({ text }) => mentionsGate(text))
      .map(({ path }) => path),
    unread: own.unreadable.map(({ path }) => path),
    callable: callableGateJobs(own.readable),
    checks,
    jobs: jobs.filter(({ check }) =>
      [...CHANGE_EVENTS, QUEUE_EVENT].some((event) => eventsOf(check).has(event)),
    ),
  };
}

export function isRequired({ required, byRule }: GateJob): boolean {
  return byRule || required.length > 0;
}

/** The jobs that decide about a merge; if none is known to, all of them. */
export function decidingJobs({ jobs }: Gate): readonly GateJob[] {
  const required = jobs.filter(isRequired);
  return required.length > 0 ? required : jobs;
}

/** A failure of this job holds back the merge by itself. */
export function blocks({ required, checks }: Gate, { byRule, check }: GateJob, place: Place): boolean {
  // The whole workflow has to pass.
  if (byRule && place.workflow.path === check.chain[0].workflow.path) return true;
  const names = new Set(required.map(({ name }) => name));
  return checks.some(
    (one) =>
      one.chain[0].workflow === check.chain[0].workflow &&
      (one.chain.at(-1) ?? one.chain[0]).job === place.job &&
      one.names?.every((name) => names.has(name)) === true,
  );
}

/** For texts: the name of the check, or what is known of it. */
export function nameOf({ check, required }: GateJob): string {
  const job = (check.chain.at(-1) ?? check.chain[0]).job;
  return required[0] ?? check.names?.[0] ?? job.id;
}
