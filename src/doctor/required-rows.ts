import { lacksPermission } from '../github/errors.ts';
import { docsPage } from '../report/links.ts';
import { listed } from '../text/visible-text.ts';
import { eventsOf, isNamed } from '../workflow/check.ts';
import { mayBeTrue } from '../workflow/condition.ts';
import { filtersThatLeaveOut, QUEUE_EVENT } from '../workflow/gaps.ts';
import { membersOf, textOf } from '../workflow/workflow.ts';
import type { Yaml } from '../workflow/yaml.ts';
import type { GitHubFacts } from './facts.ts';
import { type Gate, type GateJob, isRequired, nameOf } from './gate.ts';
import { unread, unreadExtra } from './github-rows.ts';
import { code, error, ok, type Row, skipped, warning } from './row.ts';

const CHECK = 'Required check';
const ADMIN = 'Repository admin on GitHub';
const MAINTAINER = 'Workflow maintainer';

/** Makes the row for a failed read: the doctor does not know what the branch requires, or which jobs run the gate. */
export function unknownRequirement(github: GitHubFacts | undefined): Row {
  if (github?.rules?.ok === false) return { ...unread(CHECK, github.rules.error), level: 'warning' };
  if (github?.workflows?.ok === false) return { ...unread(CHECK, github.workflows.error), level: 'warning' };
  return skipped(CHECK, 'Not checked: the default branch was not read.');
}

/**
 * Rows that say whether a failed job prevents the merge.
 * @param app the app that reported the newest check run with the name `checkName`; undefined if unknown
 */
export function requiredRows(gate: Gate, checkName: string, app: number | undefined): readonly Row[] {
  const uncalled = uncalledRows(gate);
  const required = gate.jobs.filter(isRequired);
  if (required.length > 0) return [...uncalled, ...required.map((job) => requiredJobRow(gate, job))];
  if (uncalled.length > 0) return uncalled;
  const { branch, jobs, isWhole } = gate;
  const names = [...new Set(gate.required.map(({ name }) => name))];
  if (names.includes(checkName)) return [checkRunRow(gate, checkName, app)];
  const list = names.length === 0 ? 'no status check' : listed(names.map(code));
  if (jobs.length === 0 && gate.unclear.length > 0) {
    return [
      skipped(
        CHECK,
        `Not checked: the doctor does not understand the workflow of the gate. ${code(branch)} requires ${list}.`,
      ),
    ];
  }
  if (jobs.length === 0) {
    const text = isWhole
      ? `No workflow on ${code(branch)} runs the gate on pull requests, as far as its files show. The branch requires ${list}.`
      : `It is unknown whether a workflow runs the gate on pull requests onto ${code(branch)}: GitHub did not show all rules and workflows. The branch requires ${list}.`;
    const fix =
      'Commit the workflow of the gate. If a ruleset requires it from another repository, give `github-token` read access to that one.';
    return [warning(CHECK, text, MAINTAINER, `${fix} ${requireSentence(gate)}`)];
  }
  if (!isWhole || jobs.some(({ check }) => check.names === undefined)) {
    const text = `It is unknown whether ${code(branch)} requires the job. It requires ${list}, as far as GitHub shows it.`;
    return [warning(CHECK, text, ADMIN, `Check it in the settings. ${requireSentence(gate)}`)];
  }
  const text = `${code(branch)} does not require the job, so a failed job does not block a merge. It requires ${list}.`;
  return [warning(CHECK, text, ADMIN, requireSentence(gate))];
}

function requireSentence({ branch, jobs }: Gate): string {
  const name = jobs.flatMap(({ check }) => check.names ?? [])[0];
  const wanted = name === undefined ? 'the job of the gate' : `the job ${code(name)}`;
  return `Make ${wanted} a required status check of ${code(branch)}, with the source GitHub Actions (Settings → Rules → Rulesets).`;
}

/** Checks that the branch requires a job. If the job has a matrix, every job of the matrix has to be required. */
function requiredJobRow({ branch }: Gate, job: GateJob): Row {
  if (job.byRule) {
    return ok(CHECK, `A ruleset of ${code(branch)} requires the workflow with the job ${code(nameOf(job))}.`);
  }
  const missing = (job.check.names ?? []).filter((name) => !job.required.includes(name));
  const required = listed(job.required.map(code));
  if (missing.length > 0) {
    const text = `${code(branch)} requires ${required}, but not ${listed(missing.map(code))}.`;
    return warning(CHECK, text, ADMIN, 'Require every job of the matrix.');
  }
  return ok(CHECK, `${code(branch)} requires the job${job.required.length === 1 ? '' : 's'} ${required}.`);
}

/**
 * Makes the row for a branch that requires the check run with the verdict, and not the job.
 *
 * Any workflow that may write checks can create a check run of this name. The app of such a check run is GitHub
 * Actions. If the branch requires the check run from a separate app, only that app can create it.
 */
function checkRunRow(
  { branch, required, jobs, ...gate }: Gate,
  checkName: string,
  app: number | undefined,
): Row {
  const start = `${code(branch)} requires the check run ${code(checkName)}, not the job.`;
  const expected = required.find(({ name }) => name === checkName)?.appId;
  const hasToken = jobs.some(({ check }) => check.steps.some(({ inputs }) => inputs.has('github-token')));
  if (expected !== undefined && hasToken && app === expected) {
    return ok(
      CHECK,
      `${code(branch)} requires the check run ${code(checkName)} from the app of \`github-token\`.`,
    );
  }
  if (expected !== undefined && hasToken && app === undefined) {
    const text = `${start} It is unknown whether \`github-token\` is a token of the app that has to report it.`;
    const what = 'Compare the app of the token with the source of the required check.';
    return warning(CHECK, text, ADMIN, what);
  }
  const text = `${start} Every workflow that may write checks can write a check run of this name.`;
  const require = requireSentence({ branch, required, jobs, ...gate });
  return error(CHECK, text, ADMIN, `${require} Then remove the check run from the list.`);
}

/** Rows about checks that the branch requires as `caller / job`, although no workflow reports them. */
function uncalledRows({ branch, required, checks, isWhole, callable }: Gate): readonly Row[] {
  if (!isWhole) return [];
  return [...new Set(required.map(({ name }) => name))]
    .filter((name) => callable.some((job) => name.endsWith(` / ${job}`)))
    .filter((name) => checks.every((check) => isNamed(check, name) === false))
    .map((name) => {
      const text = `${code(branch)} requires ${code(name)}, and no workflow calls the gate by a job of that name. The check is never reported.`;
      const fix =
        'Require the check under the name that pull requests show: the calling job, a slash, the job of the gate.';
      return error(CHECK, text, ADMIN, fix);
    });
}

/**
 * Makes an error row for each required workflow that can cancel its runs. A cancelled run leaves the requirement unmet.
 */
export function requiredWorkflowRows({ jobs }: Gate): readonly Row[] {
  const cancelling = jobs
    .filter(({ byRule }) => byRule)
    .flatMap(({ check }) => check.chain)
    .filter(({ workflow, job }) => [workflow.concurrency, job.concurrency].some(cancels));
  return [...new Set(cancelling.map(({ workflow }) => workflow.path))].map((path) =>
    error(
      'Required workflow',
      `A ruleset requires ${code(path)}, which has \`cancel-in-progress\`. A run that is cancelled leaves the requirement unmet.`,
      'Workflow maintainer',
      'Remove `cancel-in-progress` from the workflow. Scangate itself cancels the scans of older heads.',
    ),
  );
}

function cancels(concurrency: Yaml | undefined): boolean {
  return mayBeTrue(textOf(membersOf(concurrency ?? '').get('cancel-in-progress')));
}

const QUEUE_CHECK = 'Merge queue';
const HIDDEN =
  'No ruleset has one. Not checked: this token may not read whether classic branch protection has one.';

/** Checks that the merge queue starts every required job of the gate. */
export function queueRow({ branch, jobs }: Gate, { queue }: GitHubFacts): Row {
  if (queue === undefined) return skipped(QUEUE_CHECK, 'Not checked: the rules were not read.');
  if (!queue.ok && lacksPermission(queue.error)) return skipped(QUEUE_CHECK, HIDDEN);
  if (!queue.ok) return unreadExtra(QUEUE_CHECK, queue.error);
  if (queue.value === 'none') return ok(QUEUE_CHECK, `${code(branch)} has no merge queue.`);
  const what = `Add \`merge_group:\` to the events of the workflow, as ${docsPage('merge-queue')} shows.`;
  const queued = new Set(
    jobs
      .filter(({ check }) => eventsOf(check).has(QUEUE_EVENT))
      .filter((job) => job.byRule || filtersThatLeaveOut(job.check, branch, [QUEUE_EVENT]).length === 0)
      .flatMap(namesOf),
  );
  const waiting = jobs
    .filter(isRequired)
    .flatMap(namesOf)
    .filter((name) => !queued.has(name));
  if (waiting.length > 0) {
    const names = listed([...new Set(waiting)].map(code));
    const text = `${code(branch)} has a merge queue and requires ${names}, which does not run on \`merge_group\` of this branch: the queue waits for it until its timeout.`;
    return error(QUEUE_CHECK, text, MAINTAINER, what);
  }
  if (queued.size > 0) return ok(QUEUE_CHECK, 'The workflow of the gate runs on `merge_group`.');
  const text = `${code(branch)} has a merge queue, and no workflow of the gate runs on \`merge_group\`: the queue merges without it.`;
  return warning(QUEUE_CHECK, text, MAINTAINER, what);
}

function namesOf(job: Gate['jobs'][number]): readonly string[] {
  return job.required.length > 0 ? job.required : [nameOf(job)];
}
