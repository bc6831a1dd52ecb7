import { eventsOf } from '../workflow/check.ts';
import { CHANGE_EVENTS } from '../workflow/gaps.ts';
import type { GitHubFacts } from './facts.ts';
import { decidingJobs, type Gate, requiredJobNames } from './gate.ts';
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
  return requiredJobNames(gate).map((name) => {
    const expected = expectedApps(gate, name);
    if (expected.length === 0) return anySourceRow(gate, name);
    const read = jobApps?.get(name);
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
  const jobs = isGitHubCom(serverUrl) ? [] : requiredJobNames(gate);
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

function expectedApps({ required }: Gate, name: string): readonly number[] {
  return required.flatMap((one) => (one.name === name ? (one.appId ?? []) : []));
}

export function isGitHubCom(serverUrl: string): boolean {
  return serverUrl === 'https://github.com';
}
