import { listed } from '../text/visible-text.ts';
import { type Check, eventsOf, isNamed, isUnread, jobOf } from '../workflow/check.ts';
import { holds } from '../workflow/condition.ts';
import { CHANGE_EVENTS } from '../workflow/gaps.ts';
import type { GitHubFacts } from './facts.ts';
import { type Gate, type GateJob, isRequired, nameOf } from './gate.ts';
import { unread } from './github-rows.ts';
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
  const calls = listed(unreadCalls(gate).map(code));
  if (jobs.length === 0 && calls !== '') {
    const text = `Not checked: ${code(branch)} requires ${list}, and the doctor did not read ${calls}.`;
    return [
      warning(CHECK, text, MAINTAINER, 'Check that this workflow runs the gate, and that nothing skips it.'),
    ];
  }
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
  const collecting = collectorsOf(gate);
  if (collecting.length > 0) {
    const others = listed(collecting.map(code));
    const text = `${code(branch)} requires ${others}, which reads the result of the gate. The doctor cannot prove that ${others} fails if the gate does not succeed.`;
    return [warning(CHECK, text, ADMIN, requireSentence(gate))];
  }
  const text = `${code(branch)} does not require the job, so a failed job does not block a merge. It requires ${list}.`;
  return [warning(CHECK, text, ADMIN, requireSentence(gate))];
}

/** The calls of workflows that the doctor did not read, by jobs whose checks the branch can require. */
function unreadCalls({ checks, required }: Gate): readonly string[] {
  return checks
    .filter((check) => isUnread(check) && required.some(({ name }) => isNamed(check, name) === undefined))
    .flatMap((check) => jobOf(check).calls ?? []);
}

/** The required checks of jobs that need the gate's job, run even if it fails, and read its result. */
function collectorsOf({ checks, jobs, required, repository }: Gate): readonly string[] {
  const isCollecting = (check: Check) =>
    jobs.some(({ check: gate }) => {
      const [{ workflow, job }] = check.chain;
      const [first] = gate.chain;
      return (
        workflow === first.workflow &&
        job.needs.includes(first.job.id) &&
        job.readsResults &&
        CHANGE_EVENTS.filter((event) => eventsOf(check).has(event)).every(
          (event) => holds(job.condition, { event, repository, succeeded: false }) !== false,
        )
      );
    });
  return [...new Set(required.map(({ name }) => name))].filter((name) =>
    checks.some((check) => isNamed(check, name) === true && isCollecting(check)),
  );
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
