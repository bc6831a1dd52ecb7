import {
  type RequiredCheck,
  requiredChecks,
  requiredWorkflows,
  requireMore,
} from '../github/branch-rules.ts';
import { listed } from '../text/visible-text.ts';
import {
  type Check,
  callableGateJobs,
  checksOf,
  eventsOf,
  type GateCheck,
  gateChecks,
  mentionsGate,
  type Place,
  pathOf,
  readWorkflows,
} from '../workflow/check.ts';
import { CHANGE_EVENTS, filtersThatLeaveOut, type Gap, gapsOf, QUEUE_EVENT } from '../workflow/gaps.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { GitHubFacts, RepositoryFacts } from './facts.ts';
import { code, error, ok, type Row, warning } from './row.ts';

/** A job that runs the gate on pull requests or merge groups. */
export interface GateJob {
  readonly check: GateCheck;
  /** The names of the job's checks that the branch requires. */
  readonly required: readonly string[];
  /** True if a ruleset requires the whole workflow. GitHub then ignores the filters of the workflow. */
  readonly byRule: boolean;
}

/** What the workflow files and the rules of the default branch say about the gate. */
export interface Gate {
  readonly branch: string;
  /** `owner/name` */
  readonly repository: string;
  readonly required: readonly RequiredCheck[];
  /** True if the doctor knows all workflows and all requirements of the branch. */
  readonly isWhole: boolean;
  readonly workflows: readonly Workflow[];
  /** Workflow files that mention the gate, but that the doctor cannot parse. */
  readonly unclear: readonly string[];
  /** All workflow files of this repository that the doctor cannot parse. */
  readonly unread: readonly string[];
  /** The names of the gate's jobs in workflows that other workflows can call. */
  readonly callable: readonly string[];
  /** The checks of all jobs, on any event. */
  readonly checks: readonly Check[];
  readonly jobs: readonly GateJob[];
}

/**
 * Collects what the doctor knows about the gate. Undefined if the branch, its rules or the workflows were not read.
 * Pure.
 */
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
      // GitHub can show that the branch is protected, and hide what it requires.
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

/** The jobs on which the merge depends. If the doctor finds no required job, these are all jobs of the gate. */
export function decidingJobs({ jobs }: Gate): readonly GateJob[] {
  const required = jobs.filter(isRequired);
  return required.length > 0 ? required : jobs;
}

/** True if a failure of the job at `place` is enough to prevent the merge. */
export function blocks({ required, checks }: Gate, { byRule, check }: GateJob, place: Place): boolean {
  // The ruleset requires every job of this workflow.
  if (byRule && place.workflow.path === check.chain[0].workflow.path) return true;
  const names = new Set(required.map(({ name }) => name));
  return checks.some(
    (one) =>
      one.chain[0].workflow === check.chain[0].workflow &&
      (one.chain.at(-1) ?? one.chain[0]).job === place.job &&
      one.names?.every((name) => names.has(name)) === true,
  );
}

/** Returns the name of the job's check, for messages. If that name is not known, returns the id of the job. */
export function nameOf({ check, required }: GateJob): string {
  const job = (check.chain.at(-1) ?? check.chain[0]).job;
  return required[0] ?? check.names?.[0] ?? job.id;
}

const CHECK = 'Gate job';
const MAINTAINER = 'Workflow maintainer';
const SKIPPED = 'GitHub counts a skipped job as passed.';

/**
 * Rows that say whether the gate's job can pass without a scan, and whether a filter can keep it from starting. None
 * if no workflow uses the gate.
 */
export function gateJobRows(gate: Gate): readonly Row[] {
  const unclear = gate.unclear.map((path) => unclearRow(path));
  const jobs = decidingJobs(gate);
  if (jobs.length === 0) return unclear;
  const problems = jobs.flatMap((job) => [...gapRows(gate, job), ...filterRows(gate, job)]);
  if (problems.length > 0 || unclear.length > 0) return [...unclear, ...problems];
  const names = listed(jobs.map((job) => code(nameOf(job))));
  return [ok(CHECK, `${names}: no condition skips the job or its step, and a failure counts.`)];
}

function unclearRow(path: string): Row {
  return {
    ...warning(
      CHECK,
      `${code(path)} uses the gate, and the doctor does not understand its YAML.`,
      MAINTAINER,
      'Check that the branch requires the job, and that nothing skips it: no `if`, no `continue-on-error`, and no `needs`. The doctor reads no merge keys and no unknown tags.',
    ),
    caveat: 'skipped',
  };
}

function gapRows(gate: Gate, job: GateJob): readonly Row[] {
  const events = CHANGE_EVENTS.filter((event) => eventsOf(job.check).has(event));
  const gaps = gapsOf(job.check, {
    events: events.length > 0 ? events : [QUEUE_EVENT],
    repository: gate.repository,
    blocks: (place) => blocks(gate, job, place),
  });
  return gaps.map((gap) => gapRow(gap, job));
}

function gapRow(gap: Gap, gateJob: GateJob): Row {
  const path = code(pathOf(gateJob.check));
  const name = code(gap.kind === 'step-condition' ? nameOf(gateJob) : gap.job.id);
  switch (gap.kind) {
    case 'continue-on-error': {
      const what = gap.of === 'job' ? `The job ${name}` : `The step of the gate in the job ${name}`;
      const text = `${what} (${path}) has \`continue-on-error\`, so a failure of the gate does not count.`;
      return error(
        CHECK,
        text,
        MAINTAINER,
        'Remove `continue-on-error`. To report only, use `fail-on: none`.',
      );
    }
    case 'step-condition': {
      const text = `The step of the gate in the job ${name} (${path}) has the condition ${code(gap.condition)}. If it does not hold, the job passes without a scan.`;
      return error(CHECK, text, MAINTAINER, 'Remove the `if` of the step.');
    }
    case 'condition': {
      const condition = `The job ${name} (${path}) has the condition ${code(gap.condition)}`;
      if (gap.surely) {
        const text = `${condition}, which does not hold on pull requests. ${SKIPPED}`;
        return error(CHECK, text, MAINTAINER, 'Remove the `if` of the job.');
      }
      const text = `${condition}. Where it does not hold, the job is skipped. ${SKIPPED}`;
      const fix = 'Remove the `if` of the job, or make sure that it holds for every pull request.';
      return { ...warning(CHECK, text, MAINTAINER, fix), caveat: 'skipped' };
    }
    case 'needs': {
      const needs = listed(gap.needs.map(code));
      const text = `The job ${name} (${path}) needs ${needs}, and is skipped if that fails or is skipped. ${SKIPPED}`;
      const fix = `Add \`if: \${{ !cancelled() }}\` to the job ${name}, or also require ${needs} as a status check that always runs.`;
      return error(CHECK, text, MAINTAINER, fix);
    }
  }
}

function filterRows({ branch }: Gate, job: GateJob): readonly Row[] {
  if (!isRequired(job) || job.byRule) return [];
  return filtersThatLeaveOut(job.check, branch).map(({ event, name }) => {
    if (name === 'types') {
      const why = `${code(pathOf(job.check))} has \`types\` under \`${event}\`, without \`opened\` or \`synchronize\`. For a new pull request or a new push to it, the workflow does not start, and the required check stays pending.`;
      const what = `Remove \`types\`, or add \`opened\`, \`synchronize\` and \`reopened\` to it.`;
      return warning(CHECK, why, MAINTAINER, what);
    }
    const which = name.startsWith('paths') ? 'of other files' : `onto ${code(branch)}`;
    const text = `${code(pathOf(job.check))} has \`${name}\` under \`${event}\`. For pull requests ${which}, the workflow does not start, and the required check stays pending.`;
    const fix = name.startsWith('paths')
      ? `Remove \`${name}\`. To save credits, use the input \`paths-unscanned\`.`
      : `Change \`${name}\` so that the workflow runs for ${code(branch)}.`;
    return warning(CHECK, text, MAINTAINER, fix);
  });
}
