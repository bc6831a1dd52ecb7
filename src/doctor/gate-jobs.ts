import type { WorkflowFile } from '../github/workflow-files.ts';

/** A job that runs the gate. */
export interface GateJob {
  readonly path: string;
  /** The name of its check; undefined where the file alone does not say it. */
  readonly name: string | undefined;
  /** The events of the workflow include `merge_group`. */
  readonly runsInQueue: boolean;
  /** The events of the workflow include pull requests. */
  readonly runsOnPullRequests: boolean;
  /** Other workflows can call it: then its check has the name of their job before its own. */
  readonly isCallable: boolean;
}

/** The gate itself, not one of its sub-actions. */
const USES_GATE = /^uses:\s*['"]?[\w.-]+\/scangate@/;
/** Wherever it stands: in a step, in a list on one line, or in a text that is no step. */
const MENTIONS_GATE = /\buses['"]?\s*:\s*['"]?[\w.-]+\/scangate@/;
const JOB = /^(['"]?)([A-Za-z_][\w-]*)\1:\s*$/;
const KEY = /^(['"]?)([A-Za-z][\w-]*)\1:(?:\s+(.*?))?\s*$/;

/**
 * The jobs of a workflow that use the gate. It reads lines, as workflows are usually written, and no more YAML than
 * that: a job that mentions the gate in any other way has an unknown name.
 */
export function gateJobsOf({ path, text }: WorkflowFile): readonly GateJob[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, ''))
    .filter((line) => line.trim() !== '');
  const events = eventsOf(sectionOf(lines, 'on'));
  const runs = {
    runsInQueue: /\bmerge_group\b/.test(events),
    runsOnPullRequests: /\bpull_request(?:_target)?\b/.test(events),
    isCallable: /\bworkflow_call\b/.test(events),
  };
  return jobsIn(sectionOf(lines, 'jobs'))
    .filter(({ body }) => body.some((line) => MENTIONS_GATE.test(line)))
    .map((job) => ({ path, name: checkNameOf(job), ...runs }));
}

/** A top-level key with all that belongs to it. */
function sectionOf(lines: readonly string[], key: string): readonly string[] {
  const start = lines.findIndex((line) => new RegExp(`^(['"]?)${key}\\1:`).test(line));
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s-]/.test(line));
  return lines.slice(start, length < 0 ? undefined : start + 1 + length);
}

/** The lines that can name an event: what belongs to an event is indented more. */
function eventsOf([first = '', ...others]: readonly string[]): string {
  const indent = indentOf(others[0]);
  return [first, ...others.filter((line) => indentOf(line) === indent)].join('\n');
}

interface Job {
  /** Undefined where the line is not just an id. */
  readonly id: string | undefined;
  readonly body: readonly string[];
}

function jobsIn([first = '', ...lines]: readonly string[]): readonly Job[] {
  const isPlain = /^\S+:\s*$/.test(first) && !lines.some((line) => /^ *\t/.test(line));
  if (!isPlain) return [{ id: undefined, body: [first, ...lines] }];
  const indent = indentOf(lines[0]);
  const starts = lines.flatMap((line, index) => (indentOf(line) <= indent ? [index] : []));
  return starts.map((start, number) => {
    const id = JOB.exec(lines[start]?.trim() ?? '')?.[2];
    const body = lines.slice(start, starts[number + 1]);
    return { id, body: id === undefined ? body : body.slice(1) };
  });
}

/** GitHub adds the values of a matrix to the name, and evaluates expressions. */
function checkNameOf({ id, body }: Job): string | undefined {
  const indent = indentOf(body[0]);
  const keys = new Map<string, { readonly value: string; readonly below: readonly string[] }>();
  for (const [index, line] of body.entries()) {
    // The dash of a list can stand below its key.
    if (indentOf(line) > indent || /^ *-(?:\s|$)/.test(line)) continue;
    const [, , key, value = ''] = KEY.exec(line.trim()) ?? [];
    if (key === undefined) return undefined;
    const next = body.slice(index + 1);
    const length = next.findIndex((one) => indentOf(one) <= indent && !/^ *-(?:\s|$)/.test(one));
    keys.set(key, { value, below: next.slice(0, length < 0 ? undefined : length) });
  }
  const runsGate = keysOfSteps(keys.get('steps')?.below ?? []).some((key) => USES_GATE.test(key));
  if (id === undefined || !runsGate || keys.has('strategy')) return undefined;
  const name = keys.get('name');
  if (name === undefined) return id;
  return name.below.length > 0 ? undefined : plainText(name.value);
}

/** The lines of a list of steps that stand where the keys of a step do. */
function keysOfSteps(lines: readonly string[]): readonly string[] {
  const dash = indentOf(lines[0]);
  let column: number | undefined;
  return lines.flatMap((line) => {
    const start = indentOf(line) === dash ? /^ *-( +|$)/.exec(line) : null;
    if (start !== null) {
      column = start[1] === '' ? undefined : start[0].length;
      return [line.slice(start[0].length)];
    }
    column ??= indentOf(line);
    return indentOf(line) === column ? [line.trim()] : [];
  });
}

/** A scalar that is written as it is read; undefined for any other, and for an expression. */
function plainText(value: string): string | undefined {
  const single = /^'((?:[^']|'')*)'$/.exec(value)?.[1]?.replaceAll("''", "'");
  const double = /^"([^"\\]*)"$/.exec(value)?.[1];
  const plain = /^[^-?:,[\]{}#&*!|>'"%@`~]/.test(value) && !/:(?:\s|$)/.test(value) ? value : undefined;
  const text = single ?? double ?? plain;
  return text === undefined || text === '' || text.includes('${{') ? undefined : text;
}

function indentOf(line = ''): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}
