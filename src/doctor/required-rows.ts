import { requiredChecks, requireMore } from '../github/branch-rules.ts';
import { listed } from '../text/listed.ts';
import type { GitHubFacts } from './facts.ts';
import { type GateJob, gateJobsOf } from './gate-jobs.ts';
import { unread } from './github-rows.ts';
import { code, error, ok, type Row, skipped, warning } from './row.ts';

const ADMIN = 'Repository admin on GitHub';
const MAINTAINER = 'Workflow maintainer';

/** Does a red job hold back the merge, and does the merge queue start it? */
export function requiredRows(github: GitHubFacts | undefined, checkName: string): readonly Row[] {
  if (github?.branch === undefined || !github.defaultBranch.ok) {
    return [skipped('Required check', 'Not checked: the default branch was not read.')];
  }
  const { rules, branch, workflows } = github;
  if (rules?.ok === false) return [{ ...unread('Required check', rules.error), level: 'warning' }];
  if (!branch.ok || rules === undefined) {
    return [skipped('Required check', 'Not checked: the default branch was not read.')];
  }
  if (workflows?.ok === false) return [{ ...unread('Required check', workflows.error), level: 'warning' }];
  const { requiredChecks: classic } = branch.value;
  const required = [...new Set([...requiredChecks(rules.value.rules), ...(classic ?? [])])];
  const jobs = workflows?.ok ? workflows.value.files.flatMap(gateJobsOf).filter(isForChanges) : [];
  const requirement: Requirement = {
    branch: github.defaultBranch.value,
    required,
    isWhole:
      rules.value.complete &&
      workflows?.value.complete === true &&
      !requireMore(rules.value.rules) &&
      // GitHub says that something protects the branch, and not what.
      !(classic === undefined && branch.value.isProtected),
    jobs,
    checkName,
  };
  const hasQueue = rules.value.rules.some(({ type }) => type === 'merge_queue');
  if (!hasQueue && !rules.value.complete) return [requiredRow(requirement), QUEUE_UNKNOWN];
  return [requiredRow(requirement), queueRow(requirement, hasQueue)];
}

const QUEUE_UNKNOWN = skipped(
  'Merge queue',
  'It is unknown whether there is one: GitHub lists too many rules.',
);

interface Requirement {
  readonly branch: string;
  readonly required: readonly string[];
  /** All that the branch requires, and all workflows, are known. */
  readonly isWhole: boolean;
  readonly jobs: readonly GateJob[];
  readonly checkName: string;
}

function isForChanges({ runsInQueue, runsOnPullRequests }: GateJob): boolean {
  return runsInQueue || runsOnPullRequests;
}

/** A job of a workflow that was called has the name `caller / job`. */
function isRequired({ name, isCallable }: GateJob, required: readonly string[]): boolean {
  if (name === undefined) return false;
  return required.some((one) => one === name || (isCallable && one.endsWith(` / ${name}`)));
}

function requiredRow({ branch, required, isWhole, jobs, checkName }: Requirement): Row {
  const check = 'Required check';
  const job = jobs.find((one) => isRequired(one, required));
  if (job !== undefined) return ok(check, `${code(branch)} requires the job ${code(job.name ?? '')}.`);
  const names = jobs.flatMap(({ name }) => name ?? []);
  const wanted = names[0] === undefined ? 'the job of the gate' : `the job ${code(names[0])}`;
  const require = `Make ${wanted} a required status check of ${code(branch)} (Settings → Rules → Rulesets).`;
  if (required.includes(checkName)) {
    const text = `${code(branch)} requires the check run ${code(checkName)}, not the job. Every workflow that may write checks can write a check run of this name.`;
    return error(check, text, ADMIN, `${require} Then remove the check run from the list.`);
  }
  const list = required.length === 0 ? 'no status check' : listed(required.map(code));
  if (jobs.length === 0) {
    const text = `No workflow on ${code(branch)} runs the gate on pull requests, as far as its files show. The branch requires ${list}.`;
    return warning(check, text, MAINTAINER, `Commit the workflow of the gate. ${require}`);
  }
  if (!isWhole || names.length < jobs.length) {
    const text = `It is unknown whether ${code(branch)} requires the job. It requires ${list}, as far as GitHub shows it.`;
    return warning(check, text, ADMIN, `Check it in the settings. ${require}`);
  }
  const text = `${code(branch)} does not require the job, so a failed job does not block a merge. It requires ${list}.`;
  return warning(check, text, ADMIN, require);
}

function queueRow({ branch, required, jobs }: Requirement, hasQueue: boolean): Row {
  const check = 'Merge queue';
  if (!hasQueue) return ok(check, `No ruleset of ${code(branch)} has a merge queue.`);
  if (jobs.some(({ runsInQueue }) => runsInQueue)) {
    return ok(check, `The workflow of the gate runs on \`merge_group\`.`);
  }
  const what = 'Add `merge_group:` to the events of the workflow, as docs/merge-queue.md shows.';
  if (jobs.some((job) => isRequired(job, required))) {
    const text = `${code(branch)} has a merge queue, and the required job does not run on \`merge_group\`: the queue waits for it until its timeout.`;
    return error(check, text, MAINTAINER, what);
  }
  const text = `${code(branch)} has a merge queue, and no workflow of the gate runs on \`merge_group\`: the queue merges without it.`;
  return warning(check, text, MAINTAINER, what);
}
