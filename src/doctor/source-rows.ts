import { docsPage } from '../report/links.ts';
import { listed } from '../text/visible-text.ts';
import { eventsOf, isNamed, jobOf, pathOf } from '../workflow/check.ts';
import { CHANGE_EVENTS, QUEUE_EVENT } from '../workflow/gaps.ts';
import type { GitHubFacts } from './facts.ts';
import { decidingJobs, type Gate } from './gate.ts';
import { unreadExtra } from './github-rows.ts';
import { code, error, ok, type Row, skipped, warning } from './row.ts';

const CHECK = 'Expected source';
const ADMIN = 'Repository admin on GitHub';
/** The id of the app GitHub Actions on github.com. On other servers, the id is different. */
const ACTIONS_APP_ID = 15_368;

/**
 * Rows about the expected source of the required checks. That source has to be the app GitHub Actions,
 * because jobs report as that app.
 */
export function sourceRows(gate: Gate, { jobApps }: GitHubFacts, serverUrl: string): readonly Row[] {
  return requiredNames(gate).map((name) => {
    const expected = expectedApps(gate, name);
    if (expected.length === 0) return anySourceRow(gate, name);
    const read = jobApps.get(name);
    if (read?.ok === false) return unreadExtra(CHECK, read.error);
    const actions = isGitHubCom(serverUrl) ? ACTIONS_APP_ID : read?.value;
    if (actions === undefined) {
      return skipped(CHECK, `Not checked: no run has shown which app reports ${code(name)}.`);
    }
    const other = expected.find((id) => id !== actions);
    if (other === undefined) return ok(CHECK, `${code(name)} has to come from GitHub Actions.`);
    const text = `${code(gate.branch)} expects ${code(name)} from the app ${other}. The job reports as GitHub Actions, so it never satisfies this.`;
    return error(
      CHECK,
      text,
      ADMIN,
      `Choose GitHub Actions as the source of the required check ${code(name)}.`,
    );
  });
}

function anySourceRow({ branch }: Gate, name: string): Row {
  const text = `${code(branch)} takes ${code(name)} from any source, so every user who may write statuses can satisfy it.`;
  const fix = `Choose GitHub Actions as the source of the required check ${code(name)} (Settings → Rules → Rulesets).`;
  return warning(CHECK, text, ADMIN, fix);
}

/** A check whose app the doctor reads from a run, because the id of the app is not known in advance. */
export interface CheckOfRun {
  readonly name: string;
  /** The file of the workflow that reports the check. */
  readonly path: string;
  readonly event: string;
}

export function checksOfUnknownApp(gate: Gate, checkName: string, serverUrl: string): readonly CheckOfRun[] {
  const jobs = isGitHubCom(serverUrl) ? [] : requiredNames(gate);
  // On github.com, the app of a job is known. If no job is left, looks at the check run, which may be required. The app
  // of the check run is unknown, because the gate's token can belong to any app.
  const names = jobs.length === 0 ? [...jobs, checkName] : jobs;
  return names
    .filter((name) => expectedApps(gate, name).length > 0)
    .flatMap((name) => {
      const deciding = decidingJobs(gate);
      const check = (deciding.find(({ required }) => required.includes(name)) ?? deciding[0])?.check;
      const event = CHANGE_EVENTS.find((one) => check !== undefined && eventsOf(check).has(one));
      return check === undefined || event === undefined
        ? []
        : [{ name, path: check.chain[0].workflow.path, event }];
    });
}

function requiredNames(gate: Gate): readonly string[] {
  return [...new Set(decidingJobs(gate).flatMap(({ required }) => required))];
}

function expectedApps({ required }: Gate, name: string): readonly number[] {
  return required.flatMap((one) => (one.name === name ? (one.appId ?? []) : []));
}

export function isGitHubCom(serverUrl: string): boolean {
  return serverUrl === 'https://github.com';
}

const SAME_NAME_CHECK = 'Same name';
const MAINTAINER = 'Workflow maintainer';
/**
 * Events whose runs report on a commit that can be the head of a pull request. Such a run does not scan the change of
 * the pull request.
 */
const OTHER_EVENTS = [
  'push',
  'schedule',
  'create',
  'pull_request_review',
  'pull_request_review_comment',
  'workflow_dispatch',
] as const;

/**
 * Says whether a second job, or a job on one of `OTHER_EVENTS`, reports a check with the name of a required check.
 * GitHub knows a required check only by its name.
 */
export function sameNameRows(gate: Gate): readonly Row[] {
  const names = [...new Set(decidingJobs(gate).flatMap(({ required }) => required))];
  if (names.length === 0) return [];
  const problems = names.flatMap((name) => [...otherEventRows(gate, name), ...secondJobRows(gate, name)]);
  if (problems.length > 0) return problems;
  if (gate.unread.length > 0) {
    const files = listed(gate.unread.map(code));
    return [skipped(SAME_NAME_CHECK, `Not checked: the doctor does not understand the YAML of ${files}.`)];
  }
  return [
    ok(
      SAME_NAME_CHECK,
      `Only the gate on pull requests and merge groups reports ${listed(names.map(code))}.`,
    ),
  ];
}

function otherEventRows({ checks }: Gate, name: string): readonly Row[] {
  return checks
    .filter((check) => isNamed(check, name) === true)
    .flatMap((check) =>
      OTHER_EVENTS.filter((event) => eventsOf(check).has(event)).map((event) => ({ check, event })),
    )
    .map(({ check, event }) => {
      const text = `The job ${code(jobOf(check).id)} (${code(pathOf(check))}) also reports ${code(name)} on \`${event}\`. That result counts for a pull request whose head is the same commit.`;
      const fix = `Run it on \`${event}\` in a workflow of its own, as a job with another name (${docsPage('events')}).`;
      return (event === 'workflow_dispatch' ? warning : error)(SAME_NAME_CHECK, text, MAINTAINER, fix);
    });
}

function secondJobRows({ checks }: Gate, name: string): readonly Row[] {
  const same = checks.filter((check) => isNamed(check, name) === true);
  // A job for pull requests does not conflict with a job for the merge queue.
  const rivals = [CHANGE_EVENTS, [QUEUE_EVENT]]
    .map((events) => same.filter((check) => events.some((event) => eventsOf(check).has(event))))
    .find(({ length }) => length > 1);
  if (rivals === undefined) return [];
  const places = listed(rivals.map((check) => `${code(jobOf(check).id)} (${code(pathOf(check))})`));
  const text = `Several jobs report ${code(name)} on the same events: ${places}. Any of these jobs can satisfy the required check.`;
  return [
    warning(
      SAME_NAME_CHECK,
      text,
      MAINTAINER,
      'Give each job a name of its own, and require each job of the gate.',
    ),
  ];
}
