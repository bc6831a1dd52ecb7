import { runInNewContext } from 'node:vm';
import * as v from 'valibot';
import { parse } from 'yaml';
import { PREFIX } from '../../src/triage/command.ts';
import { filesIn, read } from './code.ts';
import { codeBlocksOf } from './documented-yaml.ts';
import { USER_PAGES } from './documents.ts';

/** The workflow files below `docs/examples`, as paths from the root of the repository. */
export const EXAMPLES: readonly string[] = filesIn('docs/examples/*.yml');

const Step = v.looseObject({
  id: v.optional(v.string()),
  if: v.optional(v.string()),
  uses: v.optional(v.string()),
  run: v.optional(v.string()),
  env: v.optional(v.record(v.string(), v.string()), {}),
  with: v.optional(v.record(v.string(), v.string()), {}),
});
export type ExampleStep = v.InferOutput<typeof Step>;

/**
 * The conditions that a job of an example may have. Neither skips a required job on a pull request. The second
 * condition is for a workflow that also runs on comments.
 */
const SKIPS_NO_CHECK: ReadonlySet<string> = new Set([
  "github.event_name != 'merge_group'",
  `github.event_name != 'issue_comment' || (github.event.issue.pull_request && startsWith(github.event.comment.body, '${PREFIX}'))`,
]);

/** The form of every example. */
const Example = v.strictObject({
  name: v.string(),
  on: v.union([v.string(), v.record(v.string(), v.unknown())]),
  permissions: v.strictObject({}),
  concurrency: v.optional(v.strictObject({ group: v.string(), 'cancel-in-progress': v.string() })),
  jobs: v.record(
    v.string(),
    v.strictObject({
      // The group of triage.yml drops no command, because `queue: max` keeps all that wait.
      concurrency: v.optional(v.strictObject({ group: v.string(), queue: v.literal('max') })),
      // GitHub counts a skipped job as passed, so no job is skipped on a pull request.
      if: v.optional(
        v.pipe(
          v.string(),
          v.check((text) => SKIPS_NO_CHECK.has(text)),
        ),
      ),
      needs: v.optional(v.string()),
      environment: v.optional(v.string()),
      'runs-on': v.union([v.string(), v.array(v.string())]),
      'timeout-minutes': v.optional(v.number()),
      permissions: v.record(v.string(), v.picklist(['read', 'write'])),
      env: v.optional(v.record(v.string(), v.string())),
      steps: v.pipe(v.array(Step), v.minLength(1)),
    }),
  ),
});
export type Example = v.InferOutput<typeof Example>;

export function readExample(file: string): Example {
  return v.parse(Example, parse(read(file)));
}

/** The names of the workflow's events. */
export function eventsOf({ on }: Example): readonly string[] {
  return typeof on === 'string' ? [on] : Object.keys(on);
}

/** All YAML that users copy, each with its location. */
export function copiedYaml(): readonly (readonly [place: string, text: string])[] {
  const blocks = USER_PAGES.flatMap((page) =>
    codeBlocksOf(read(page))
      .filter(({ language }) => /^ya?ml$/.test(language))
      .map(({ line, text }) => [`${page}:${line}`, text] as const),
  );
  return [...blocks, ...EXAMPLES.map((file) => [file, read(file)] as const)];
}

/**
 * Replaces the expressions in a text of an example by their values. Evaluates them as JavaScript, in which the
 * expressions of the examples mean nearly the same.
 */
export function evaluate(text: string, contexts: Readonly<Record<string, unknown>>): string {
  return text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) =>
    String(evaluateExpression(expression, contexts)),
  );
}

/** Evaluates an expression without `${{ }}` around it, for example the value of an `if`. */
export function evaluateExpression(expression: string, contexts: Readonly<Record<string, unknown>>): unknown {
  // `a.b-c` becomes `a?.["b-c"]`. JavaScript would read the hyphen as a subtraction, and throw if `a` is missing.
  // `a.*.b` becomes the list of the `b` of all members of `a`.
  const script = expression.replace(
    /'[^']*'|\.\*\.([\w-]+)|\.([\w-]+)/g,
    (found, ofAll?: string, name?: string) => {
      if (ofAll !== undefined) return `?.map((one) => one["${ofAll}"])`;
      return name === undefined ? found : `?.["${name}"]`;
    },
  );
  const format = (pattern: string, value: unknown) => pattern.replace('{0}', String(value));
  const startsWith = (text: string, start: string) => text.toLowerCase().startsWith(start.toLowerCase());
  const contains = (list: readonly unknown[] = [], value: unknown) => list.includes(value);
  return runInNewContext(script, { ...contexts, always: () => true, contains, format, startsWith }) ?? '';
}
