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
}

/** The gate itself, not one of its sub-actions. */
const USES_GATE = /^\s*(?:-\s+)?uses:\s*['"]?[\w.-]+\/scangate@/;
const JOB = /^( +)(['"]?)([A-Za-z_][\w-]*)\2:\s*$/;

/**
 * The jobs of a workflow that use the gate. It reads lines, as workflows are usually written, and no more YAML than
 * that: what it does not find is unknown.
 */
export function gateJobsOf({ path, text }: WorkflowFile): readonly GateJob[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(?:^|\s)#.*$/, ''));
  const events = sectionOf(lines, 'on').join('\n');
  const runs = {
    runsInQueue: /\bmerge_group\b/.test(events),
    runsOnPullRequests: /\bpull_request(?:_target)?\b/.test(events),
  };
  return jobsIn(sectionOf(lines, 'jobs'))
    .filter(({ body }) => body.some((line) => USES_GATE.test(line)))
    .map(({ id, body }) => ({ path, name: checkNameOf(id, body), ...runs }));
}

/** A top-level key with all that belongs to it. */
function sectionOf(lines: readonly string[], key: string): readonly string[] {
  const start = lines.findIndex((line) => new RegExp(`^(['"]?)${key}\\1:`).test(line));
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s-]/.test(line));
  return lines.slice(start, length < 0 ? undefined : start + 1 + length);
}

interface Job {
  readonly id: string;
  readonly body: readonly string[];
}

function jobsIn([, ...lines]: readonly string[]): readonly Job[] {
  const indent = lines.map((line) => JOB.exec(line)?.[1]).find((found) => found !== undefined);
  const starts = lines.flatMap((line, index) => {
    const [, own, , id] = JOB.exec(line) ?? [];
    return id !== undefined && own === indent ? [{ id, index }] : [];
  });
  return starts.map(({ id, index }, number) => ({
    id,
    body: lines.slice(index + 1, starts[number + 1]?.index),
  }));
}

/** GitHub adds the values of a matrix to the name, and evaluates expressions. */
function checkNameOf(id: string, body: readonly string[]): string | undefined {
  const indent = /^ */.exec(body.find((line) => line.trim() !== '') ?? '')?.[0] ?? '';
  const own = body.filter((line) => line.startsWith(indent) && line[indent.length] !== ' ');
  if (own.some((line) => line.trim().startsWith('strategy:'))) return undefined;
  const given = own.map((line) => /^\s*name:\s*(.*?)\s*$/.exec(line)?.[1]).find((name) => name !== undefined);
  const name = given?.replace(/^(['"])(.*)\1$/, '$2') ?? id;
  return name.includes('${{') ? undefined : name;
}
