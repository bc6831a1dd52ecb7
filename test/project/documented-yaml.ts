import * as v from 'valibot';
import { parseDocument } from 'yaml';
import { allNodes } from '../unit/report/gfm.ts';
import { parsedOnce } from './documents.ts';

/** The inputs and outputs that an action declares. */
export interface ActionInterface {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean | undefined }>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}
/** The actions of this repository by their folder. The folder of Scangate itself is `''`. */
export type Actions = Readonly<Record<string, ActionInterface>>;

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

const Step = v.looseObject({
  id: v.optional(v.string()),
  uses: v.optional(v.string()),
  run: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
});
type Step = v.InferOutput<typeof Step>;
const Steps = v.array(Step);
const Job = v.looseObject({
  'runs-on': v.union([v.string(), v.array(v.string())]),
  steps: v.pipe(Steps, v.minLength(1)),
});
const Workflow = v.looseObject({ on: v.unknown(), jobs: v.record(v.string(), Job) });

const Dependabot = v.strictObject({
  version: v.literal(2),
  updates: v.array(
    v.strictObject({
      'package-ecosystem': v.literal('github-actions'),
      directory: v.string(),
      schedule: v.strictObject({ interval: v.picklist(['daily', 'weekly', 'monthly']) }),
    }),
  ),
});

/** Keys that only a workflow or a job has. A mapping that has none of these keys consists of inputs. */
const WORKFLOW_KEYS = ['name', 'on', 'permissions', 'concurrency', 'env', 'defaults', 'jobs', 'steps'];
/** A block that starts like this is copied into an existing workflow, and is not a whole workflow. */
const FRAGMENT = /^# (?:Add|Change|Replace) /;
const SCANGATE = /^(?:scangate\/scangate(?:\/(?<folder>[\w-]+))?@\S+|\.\/(?<local>[\w-]*))$/;

/** The grants of all `permissions:` of a block, such as `contents: read`. */
export function permissionsIn(text: string): readonly string[] {
  const content: unknown = parseDocument(text).toJS();
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key !== 'permissions') look(member);
      else for (const [name, access] of Object.entries(member ?? {})) found.push(`${name}: ${access}`);
    }
  };
  look(content);
  return found;
}

export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  return allNodes(parsedOnce(markdown)).flatMap((node) =>
    node.type === 'code'
      ? [{ language: node.lang ?? '', text: node.value, line: node.position?.start.line ?? 0 }]
      : [],
  );
}

/** Describes what is wrong with a block of YAML that users copy into a workflow. Empty if nothing is wrong. */
export function yamlProblems(text: string, actions: Actions): readonly string[] {
  const document = parseDocument(text, { strict: true, stringKeys: true });
  const unreadable = [...document.errors, ...document.warnings].map(({ message }) => message);
  if (unreadable.length > 0) return unreadable;
  const content: unknown = document.toJS();
  if (Array.isArray(content)) return stepsProblems(content, actions, false);
  if (!v.is(v.record(v.string(), v.unknown()), content)) return ['neither a mapping nor a list of steps'];

  if ('updates' in content) return problemsOf(v.safeParse(Dependabot, content), 'updates');
  if (!WORKFLOW_KEYS.some((key) => key in content)) return inputProblems('', content, actions);
  if ('jobs' in content || ('on' in content && !FRAGMENT.test(text))) {
    const workflow = v.safeParse(Workflow, content);
    if (!workflow.success) return problemsOf(workflow, 'workflow');
    return Object.values(workflow.output.jobs).flatMap(({ steps }) => stepsProblems(steps, actions, true));
  }
  return 'steps' in content ? stepsProblems(content['steps'], actions, false) : [];
}

function problemsOf(
  { issues = [] }: { readonly issues: readonly v.BaseIssue<unknown>[] | undefined },
  whole: string,
): string[] {
  return issues.map((issue) => `${v.getDotPath(issue) ?? whole}: ${issue.message}`);
}

function stepsProblems(content: unknown, actions: Actions, isWhole: boolean): string[] {
  const steps = v.safeParse(Steps, content);
  if (!steps.success) return problemsOf(steps, 'steps');
  return steps.output.flatMap((step) => stepProblems(step, actions, isWhole));
}

function stepProblems(step: Step, actions: Actions, isWhole: boolean): string[] {
  if ((step.uses === undefined) === (step.run === undefined)) return ['a step needs one of `uses` and `run`'];
  const groups = SCANGATE.exec(step.uses ?? '')?.groups;
  if (groups === undefined) return [];
  const folder = groups['folder'] ?? groups['local'] ?? '';
  const problems = inputProblems(folder, step.with, actions);
  const inputs = isWhole ? Object.entries(actions[folder]?.inputs ?? {}) : [];
  const missing = inputs.filter(([name, { required }]) => required && !(name in step.with));
  return [...problems, ...missing.map(([name]) => `the required input ${name} is missing`)];
}

function inputProblems(folder: string, given: Readonly<Record<string, unknown>>, actions: Actions): string[] {
  const action = actions[folder];
  if (action === undefined) return [`there is no action in ${folder}`];
  return Object.keys(given)
    .filter((name) => !(name in action.inputs))
    .map((name) => `${name} is not an input`);
}
