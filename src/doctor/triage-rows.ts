import { listed } from '../text/visible-text.ts';
import { type Place, stepsUsing } from '../workflow/check.ts';
import { holds } from '../workflow/condition.ts';
import { membersOf, type Step, textOf, textsOf } from '../workflow/workflow.ts';
import type { Yaml } from '../workflow/yaml.ts';
import type { GitHubFacts } from './facts.ts';
import { decidingJobs, type Gate } from './gate.ts';
import { unreadExtra } from './github-rows.ts';
import { code, error, ok, type Row, warning } from './row.ts';

/** The folder of the triage action, which re-runs the gate's job. */
const FOLDER = 'triage';
const CHECK = 'Triage';
const MAINTAINER = 'Workflow maintainer';
const LEVELS = ['none', 'read', 'write'];

/**
 * The input for the token that may change the status of findings. A secret of the repository does not protect this
 * token, because workflows on every branch can read such a secret.
 */
const TOKEN = 'triage-token';

/**
 * Rows about the workflows of the triage action: their permissions, their token, whether they can find the gate's job,
 * and whether one of them starts on a comment. None if there is no such workflow.
 */
export function triageRows(gate: Gate, { environments }: GitHubFacts): readonly Row[] {
  const uses = stepsUsing(gate.workflows, FOLDER);
  const rows = uses.flatMap((use) => {
    const problems = [
      ...permissionRows(use),
      ...jobNameRows(gate, use),
      ...commentRows(gate, use),
      ...tokenRows(use, environments),
    ];
    return problems.length > 0
      ? problems
      : [ok(CHECK, `${code(use.workflow.path)} may re-run the job of the gate.`)];
  });
  if (uses.length === 0 || uses.some((use) => startsOnComment(use, gate.repository))) return rows;
  const text = `${listed(uses.map(({ workflow }) => code(workflow.path)))} never starts on a comment, so \`/scangate\` commands get no answer.`;
  const what = 'Add `issue_comment` with `types: [created]` to its events.';
  return [...rows.filter(({ level }) => level !== 'ok'), warning(CHECK, text, MAINTAINER, what)];
}

function startsOnComment({ workflow, job }: Place, repository: string): boolean {
  const event = 'issue_comment';
  const filters = workflow.events.get(event);
  if (filters === undefined) return false;
  const types = textsOf(membersOf(filters).get('types'));
  if (types.length > 0 && !types.includes('created')) return false;
  return holds(job.condition, { event, repository, succeeded: true }) !== false;
}

/** The environments that store the token of the triage action. */
export function tokenEnvironmentsOf({ workflows }: Gate): readonly string[] {
  return stepsUsing(workflows, FOLDER).flatMap(({ job, step }) =>
    step.inputs.has(TOKEN) && job.environment !== undefined && !job.environment.includes('${{')
      ? [job.environment]
      : [],
  );
}

function tokenRows(
  { workflow, job, step }: Place & { readonly step: Step },
  environments: GitHubFacts['environments'],
): readonly Row[] {
  if (!step.inputs.has(TOKEN)) return [];
  const text = `${code(workflow.path)} passes \`${TOKEN}\``;
  const what = `Save the token as a secret of an environment that only the default branch may use (Settings → Environments), and name it in the job ${code(job.id)}.`;
  if (job.environment === undefined) {
    const why = `${text} without an environment, so an author with write access can read it in a workflow on a branch.`;
    return [error(CHECK, why, MAINTAINER, what)];
  }
  const read = environments?.get(job.environment);
  if (read?.ok === false) return [unreadExtra(CHECK, read.error)];
  const branches = read?.value?.branches ?? 'all';
  const open = typeof branches === 'string' ? [] : branches.filter((pattern) => /[*?[]/.test(pattern));
  if (read === undefined || (branches !== 'all' && open.length === 0)) return [];
  const which = branches === 'all' ? 'any branch' : `any branch that matches ${listed(open.map(code))}`;
  const why = `${text} from the environment ${code(job.environment)}, which ${which} may use.`;
  return [warning(CHECK, why, 'Repository admin on GitHub', what)];
}

/**
 * Checks the permissions of the workflow's own token. A token from the input `github-token` has its own permissions.
 */
function permissionRows({ workflow, job, step }: Place & { readonly step: Step }): readonly Row[] {
  const granted = job.permissions ?? workflow.permissions;
  if (granted === undefined || step.inputs.has('github-token')) return [];
  const missing = [
    ['actions', 'write'],
    ['checks', 'read'],
    ['pull-requests', 'write'],
  ].filter(([name = '', level = '']) => levelOf(granted, name) < LEVELS.indexOf(level));
  if (missing.length === 0) return [];
  const names = listed(missing.map(([name, level]) => `\`${name}: ${level}\``));
  const text = `The job ${code(job.id)} (${code(workflow.path)}) does not grant ${names}.`;
  return [error(CHECK, text, MAINTAINER, `Add ${names} to its \`permissions\`.`)];
}

function levelOf(granted: Yaml, name: string): number {
  if (typeof granted === 'string') return LEVELS.indexOf(granted.replace(/-all$/, ''));
  return LEVELS.indexOf(textOf(membersOf(granted).get(name)) ?? 'none');
}

/** A sweep needs the gate's comment, which shows the findings that blocked. */
function commentRows(gate: Gate, { workflow }: Place): readonly Row[] {
  const sweeps = ['schedule', 'workflow_dispatch'].some((event) => workflow.events.has(event));
  const steps = decidingJobs(gate).flatMap(({ check }) => check.steps);
  const isSilent = steps.every(({ inputs }) => textOf(inputs.get('comment')) === 'never');
  if (!sweeps || steps.length === 0 || !isSilent) return [];
  const text = `The sweep of ${code(workflow.path)} re-runs nothing, because the gate has \`comment: never\`.`;
  return [warning(CHECK, text, MAINTAINER, 'Set `comment` of the gate to `on-findings`.')];
}

/** Checks the input `job-name`. The triage action needs it if the gate's workflow has more than one job. */
function jobNameRows(gate: Gate, { workflow, step }: Place & { readonly step: Step }): readonly Row[] {
  const jobs = decidingJobs(gate);
  const given = textOf(step.inputs.get('job-name'));
  if (jobs.length === 0 || given?.includes('${{')) return [];
  const names = jobs.flatMap(({ check }) => check.names ?? []);
  const fix = `Set \`job-name\` to the name that pull requests show${names.length === 0 ? '' : `, such as ${code(names[0] ?? '')}`}.`;
  if (given === undefined) {
    if (!jobs.some(({ check }) => check.chain.length > 1 || check.chain[0].workflow.jobs.length > 1))
      return [];
    const text = `The workflow of the gate has other jobs, and ${code(workflow.path)} does not set \`job-name\`. It re-runs nothing.`;
    return [error(CHECK, text, MAINTAINER, fix)];
  }
  const isUnknown = jobs.some(({ check }) => check.names === undefined);
  if (isUnknown || names.includes(given)) return [];
  const text = `\`job-name\` in ${code(workflow.path)} is ${code(given)}, and no job of the gate has that name.`;
  return [error(CHECK, text, MAINTAINER, fix)];
}
