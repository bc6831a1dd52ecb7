import { causeOf } from '../github/errors.ts';
import { docsPage } from '../report/links.ts';
import { eventsOf, jobOf } from '../workflow/check.ts';
import { textOf } from '../workflow/workflow.ts';
import type { GitHubFacts } from './facts.ts';
import type { Gate, GateJob } from './gate.ts';
import { unreadExtra } from './github-rows.ts';
import { code, ok, type Row, skipped, warning } from './row.ts';
import { isGitHubCom } from './source-rows.ts';

const TARGET = 'pull_request_target';
const ADMIN = 'Repository admin on GitHub';
/** Our choice: a run within this time shows that GitHub allows the event today. */
export const RECENT_DAYS = 14;

/** Rows about the event `pull_request_target` and the environment for forks. None if the gate uses neither. */
export function forkRows(gate: Gate, github: GitHubFacts, serverUrl: string): readonly Row[] {
  return [
    ...(mayBeBlocked(gate, github, serverUrl) ? [policyRow(github)] : []),
    ...environmentsOf(gate).map((name) => environmentRow(name, github)),
  ];
}

/** True if GitHub's default policy can block the gate. The policy affects public repositories on github.com. */
export function mayBeBlocked(gate: Gate, { repository }: GitHubFacts, serverUrl: string): boolean {
  return repository?.isPublic === true && isGitHubCom(serverUrl) && targetJobs(gate).length > 0;
}

/**
 * The file of a workflow that runs the gate on `pull_request_target`. The runs of this workflow show whether GitHub
 * allows the event.
 */
export function targetWorkflow(gate: Gate): string | undefined {
  return targetJobs(gate)[0]?.check.chain[0].workflow.path;
}

/** The environments in which pull requests from forks wait for approval. */
export function environmentsOf(gate: Gate): readonly string[] {
  const waiting = targetJobs(gate).filter(({ check }) =>
    check.steps.some(({ inputs }) => textOf(inputs.get('scan-forks'))?.trim().toLowerCase() === 'all'),
  );
  return [...new Set(waiting.flatMap(({ check }) => namesIn(jobOf(check).environment ?? '')))];
}

function targetJobs({ jobs }: Gate): readonly GateJob[] {
  return jobs.filter(({ check }) => eventsOf(check).has(TARGET));
}

/**
 * Returns the names of environments. The text is one name, or an expression that contains names, such as `a && 'name'
 * || ''`.
 */
function namesIn(environment: string): readonly string[] {
  if (!environment.includes('${{')) return environment === '' ? [] : [environment];
  return [...environment.matchAll(/(?:&&|\|\|)\s*'([^']+)'/g)].map(([, name = '']) => name);
}

function policyRow({ targetRuns }: GitHubFacts): Row {
  const check = 'Event policy';
  const blocks = `By default, GitHub blocks \`${TARGET}\` in public repositories.`;
  const fix = `Allow \`${TARGET}\` for this workflow under Settings → Actions → Policies, as ${docsPage('forks')} shows.`;
  if (targetRuns?.ok === true && targetRuns.value) {
    return ok(check, `The gate has run on \`${TARGET}\` in the last ${RECENT_DAYS} days.`);
  }
  if (targetRuns?.ok !== false) {
    return warning(check, `${blocks} No run of the gate began in the last ${RECENT_DAYS} days.`, ADMIN, fix);
  }
  const text = `${blocks} It is unknown whether a policy allows it. ${causeOf(targetRuns.error)}`;
  return warning(check, text, ADMIN, `${fix} To have it checked, grant \`${targetRuns.error.permission}\`.`);
}

function environmentRow(name: string, { environments }: GitHubFacts): Row {
  const check = 'Environment';
  const read = environments?.get(name);
  if (read === undefined) return skipped(check, 'Not checked: it was not read.');
  if (!read.ok) return unreadExtra(check, read.error);
  if (read.value?.hasReviewers === true) return ok(check, `${code(name)} has required reviewers.`);
  const what = read.value === undefined ? 'does not exist' : 'has no required reviewers';
  const text = `The environment ${code(name)} ${what}, so every fork is scanned without an approval and spends credits.`;
  return warning(
    check,
    text,
    ADMIN,
    `Add required reviewers (Settings → Environments), as ${docsPage('forks')} shows.`,
  );
}
