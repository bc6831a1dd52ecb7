import type { Job, Step, Workflow } from './workflow.ts';
import { readWorkflow } from './workflow.ts';

/** The name of this action's repository in `uses`. Forks and mirrors have other owners. */
const GATE = /^[\w.-]+\/scangate@/i;
const MENTIONS_GATE = /\buses['"]?\s*:\s*['"]?[\w.-]+\/scangate@/i;
const LOCAL_CALL = /^\.\/(\.github\/workflows\/[^@]+)$/;
const REMOTE_CALL = /^([^/]+\/[^/]+)\/(\.github\/workflows\/[^@]+)@/;
/** Our choice: GitHub allows ten levels of workflows that call each other. */
const DEEPEST = 10;
/** Our choice, for files that call each other many times. Further checks have no known names. */
const MOST_CHECKS = 2_000;
const MOST_NAMES = 2_000;

/** A job, and the workflow that contains it. */
export interface Place {
  readonly workflow: Workflow;
  readonly job: Job;
}

/** A check that a job reports on a commit. */
export interface Check {
  /** The job that an event starts, then the jobs that it calls. */
  readonly chain: readonly [Place, ...Place[]];
  /** Several with a matrix; undefined if the files do not determine them. */
  readonly names: readonly string[] | undefined;
  /** The name of the calling job if the called workflow is not known; otherwise undefined. */
  readonly caller: readonly string[] | undefined;
}

/** A check whose job runs the gate. */
export interface GateCheck extends Check {
  /** The steps that run the gate, at least one. */
  readonly steps: readonly Step[];
}

/** Workflow files, and the paths of those that cannot be parsed. */
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

/** True if the text of a workflow mentions the gate anywhere. */
export function mentionsGate(text: string): boolean {
  return MENTIONS_GATE.test(text);
}

/** The checks of all workflows that an event starts. @param repository `owner/name`, to resolve calls that name it */
export function checksOf(workflows: readonly Workflow[], repository: string): readonly Check[] {
  const byPath = new Map(workflows.map((workflow) => [workflow.path, workflow]));
  const files = { byPath, repository, found: { count: 0 } };
  return workflows
    .filter(isStarted)
    .flatMap((workflow) => workflow.jobs.flatMap((job) => checksBelow({ workflow, job }, files, DEEPEST)));
}

interface Files {
  readonly byPath: ReadonlyMap<string, Workflow>;
  readonly repository: string;
  /** The number of checks so far. */
  readonly found: { count: number };
}

function checksBelow(place: Place, files: Files, levels: number): readonly Check[] {
  const { names, calls } = place.job;
  files.found.count += 1;
  if (calls === undefined) return [{ chain: [place], names, caller: undefined }];
  const called =
    levels === 0 || files.found.count > MOST_CHECKS
      ? undefined
      : files.byPath.get(pathOfCall(calls, files.repository));
  if (called === undefined) return [{ chain: [place], names: undefined, caller: names }];
  return called.jobs
    .flatMap((job) => checksBelow({ workflow: called, job }, files, levels - 1))
    .map((check) => ({
      chain: [place, ...check.chain],
      names: joined(names, check.names),
      caller: joined(names, check.caller),
    }));
}

function pathOfCall(calls: string, repository: string): string {
  const [, owner = '', path = ''] = REMOTE_CALL.exec(calls) ?? [];
  if (owner.toLowerCase() === repository.toLowerCase()) return path;
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

/** False if only other workflows start it, by calling it. */
function isStarted({ events }: Workflow): boolean {
  return [...events.keys()].some((event) => event !== 'workflow_call');
}

/** The checks that run the gate itself, not one of its sub-actions. */
export function gateChecks(checks: readonly Check[]): readonly GateCheck[] {
  return checks.flatMap((check) => {
    const steps = jobOf(check).steps.filter(isGate);
    return steps.length === 0 ? [] : [{ ...check, steps }];
  });
}

/** The names of the gate's jobs in workflows that others can call. */
export function callableGateJobs(workflows: readonly Workflow[]): readonly string[] {
  return workflows
    .filter(({ events }) => events.has('workflow_call'))
    .flatMap(({ jobs }) => jobs.filter(({ steps }) => steps.some(isGate)))
    .flatMap(({ names }) => names ?? []);
}

function isGate({ uses = '' }: Step): boolean {
  return GATE.test(uses);
}

/** The jobs that use a sub-action of the gate. */
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

/** The events that start the check. */
export function eventsOf({ chain }: Check): Workflow['events'] {
  return chain[0].workflow.events;
}

/** The job that runs, not one that calls it. */
export function jobOf({ chain }: Check): Job {
  return (chain.at(-1) ?? chain[0]).job;
}

/** The path of the job's workflow. */
export function pathOf({ chain }: Check): string {
  return (chain.at(-1) ?? chain[0]).workflow.path;
}

/** Whether the check can have this name; undefined if the files do not determine it. */
export function isNamed({ names, caller }: Check, name: string): boolean | undefined {
  if (names !== undefined) return names.includes(name);
  if (caller === undefined) return undefined;
  return caller.some((one) => name.startsWith(`${one} / `)) ? undefined : false;
}
