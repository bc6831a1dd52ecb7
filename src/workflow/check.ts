import { type Job, readWorkflow, type Step, type Workflow } from './workflow.ts';

/** Matches this action in `uses`. Accepts every owner, because each fork or mirror of the action has its own owner. */
const GATE = /^[\w.-]+\/scangate@/i;
const MENTIONS_GATE = /\buses['"]?\s*:\s*['"]?[\w.-]+\/scangate@/i;
const LOCAL_CALL = /^\.\/(\.github\/workflows\/[^@]+)$/;
const REMOTE_CALL = /^([^/]+\/[^/]+)\/(\.github\/workflows\/[^@]+)@(.+)$/;
/** Our choice: the most calls in a chain of workflows. GitHub allows ten levels of workflows. */
const DEEPEST = 10;
/**
 * Our choice: after this many checks, a called workflow counts as missing. Files can call each other so often that
 * there would be far too many checks.
 */
const MOST_CHECKS = 2_000;
const MOST_NAMES = 2_000;

/** A job, and the workflow that contains it. */
export interface Place {
  readonly workflow: Workflow;
  readonly job: Job;
}

/** A check that a job reports on a commit. */
export interface Check {
  /** The job that an event starts, then the chain of called jobs. */
  readonly chain: readonly [Place, ...Place[]];
  /** With a matrix, the check has several names. Undefined if the files do not determine the names. */
  readonly names: readonly string[] | undefined;
  /** Each name begins with one of these texts. They matter if `names` is undefined. */
  readonly beginnings: readonly string[];
}

/** A check whose job runs the gate. */
export interface GateCheck extends Check {
  /** The steps that run the gate. There is at least one. */
  readonly steps: readonly Step[];
}

/** The workflows that could be parsed, and the files that could not. */
export interface Workflows {
  readonly readable: readonly Workflow[];
  readonly unreadable: readonly { readonly path: string; readonly text: string }[];
}

export function readWorkflows(files: readonly { readonly path: string; readonly text: string }[]): Workflows {
  const read = files.map((file) => ({ file, workflow: readWorkflow(file) }));
  return {
    readable: read.flatMap(({ workflow }) => workflow ?? []),
    unreadable: read.flatMap(({ file, workflow }) => (workflow === undefined ? file : [])),
  };
}

/** True if a workflow's text names the gate anywhere. */
export function mentionsGate(text: string): boolean {
  return MENTIONS_GATE.test(text);
}

/** The repository whose workflow files were read, and the branch from which they were read. */
export interface Source {
  /** `owner/name` */
  readonly repository: string;
  readonly branch: string;
}

/** Finds the checks of all workflows that an event starts. Resolves calls of workflows in the same branch. */
export function checksOf(workflows: readonly Workflow[], source: Source): readonly Check[] {
  const byPath = new Map(workflows.map((workflow) => [workflow.path, workflow]));
  const files = { byPath, source, found: { count: 0 } };
  return workflows
    .filter(isStarted)
    .flatMap((workflow) => workflow.jobs.flatMap((job) => checksBelow({ workflow, job }, files, DEEPEST)));
}

interface Files {
  readonly byPath: ReadonlyMap<string, Workflow>;
  readonly source: Source;
  /** How many checks were found so far. */
  readonly found: { count: number };
}

function checksBelow(place: Place, files: Files, levels: number): readonly Check[] {
  const { names, beginning, calls } = place.job;
  files.found.count += 1;
  const beginnings = names?.map((name) => `${name} / `) ?? [beginning];
  if (calls === undefined) return [{ chain: [place], names, beginnings: names ?? [beginning] }];
  const called =
    levels === 0 || files.found.count > MOST_CHECKS
      ? undefined
      : files.byPath.get(pathOfCall(calls, files.source));
  if (called === undefined) return [{ chain: [place], names: undefined, beginnings }];
  return called.jobs
    .flatMap((job) => checksBelow({ workflow: called, job }, files, levels - 1))
    .map((check) => ({
      chain: [place, ...check.chain],
      names: joined(names, check.names),
      beginnings: joined(names, check.beginnings) ?? beginnings,
    }));
}

/** Returns an empty text for a call of another repository, and of a tag, a commit or another branch. */
function pathOfCall(calls: string, { repository, branch }: Source): string {
  const [, owner = '', path = '', ref = ''] = REMOTE_CALL.exec(calls) ?? [];
  const isSame = owner.toLowerCase() === repository.toLowerCase();
  if (isSame && [branch, `refs/heads/${branch}`].includes(ref)) return path;
  return LOCAL_CALL.exec(calls)?.[1] ?? '';
}

function joined(
  callers: readonly string[] | undefined,
  names: readonly string[] | undefined,
): readonly string[] | undefined {
  if (callers === undefined || names === undefined) return undefined;
  if (callers.length * names.length > MOST_NAMES) return undefined;
  return callers.flatMap((caller) => names.map((name) => `${caller} / ${name}`));
}

/** False if the workflow starts only when another workflow calls it. */
function isStarted({ events }: Workflow): boolean {
  return [...events.keys()].some((event) => event !== 'workflow_call');
}

/** Returns the checks whose job runs the gate itself. A sub-action of the gate does not count. */
export function gateChecks(checks: readonly Check[]): readonly GateCheck[] {
  return checks.flatMap((check) => {
    const steps = jobOf(check).steps.filter(isGate);
    return steps.length === 0 ? [] : [{ ...check, steps }];
  });
}

/** Returns the names of the gate's jobs in workflows that other workflows can call. */
export function callableGateJobs(workflows: readonly Workflow[]): readonly string[] {
  return workflows
    .filter(({ events }) => events.has('workflow_call'))
    .flatMap(({ jobs }) => jobs.filter(({ steps }) => steps.some(isGate)))
    .flatMap(({ names }) => names ?? []);
}

function isGate({ uses = '' }: Step): boolean {
  return GATE.test(uses);
}

/** Returns the steps that use a sub-action of the gate, each with its job. */
export function stepsUsing(
  workflows: readonly Workflow[],
  folder: string,
): readonly (Place & { readonly step: Step })[] {
  const uses = new RegExp(`^[\\w.-]+/scangate/${folder}@`, 'i');
  return workflows.flatMap((workflow) =>
    workflow.jobs.flatMap((job) =>
      job.steps.filter((step) => uses.test(step.uses ?? '')).map((step) => ({ workflow, job, step })),
    ),
  );
}

/** Returns the events that start the check. */
export function eventsOf({ chain }: Check): Workflow['events'] {
  return chain[0].workflow.events;
}

/** Returns the job that runs, and not a job that calls it. */
export function jobOf({ chain }: Check): Job {
  return (chain.at(-1) ?? chain[0]).job;
}

/** Returns the path of the workflow that contains the job of the check. */
export function pathOf({ chain }: Check): string {
  return (chain.at(-1) ?? chain[0]).workflow.path;
}

/** True if the check can have this name. Undefined if the files do not determine the names. */
export function isNamed({ names, beginnings }: Check, name: string): boolean | undefined {
  if (names !== undefined) return names.includes(name);
  return beginnings.some((one) => name.startsWith(one)) ? undefined : false;
}

/** True if the job calls a workflow that is not among the files. */
export function isUnread(check: Check): boolean {
  return jobOf(check).calls !== undefined;
}
