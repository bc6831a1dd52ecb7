import type { ActionInput } from './action-manifest.ts';

/** The contexts `github` and `runner`, which expressions can use. */
export interface ExpressionContext {
  readonly github: Readonly<Record<string, string>>;
  readonly runner: Readonly<Record<string, string>>;
}

/** Replaces each `${{ github.x }}` and `${{ runner.x }}` by its value. Throws if it cannot evaluate an expression. */
export function evaluateDefault(text: string, context: ExpressionContext): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const [, scope, name] = /^\s*(github|runner)\.([\w-]+)\s*$/.exec(expression) ?? [];
    const values = scope === 'runner' ? context.runner : context.github;
    const value = name === undefined || !Object.hasOwn(values, name) ? undefined : values[name];
    if (value === undefined) throw new Error(`this runner cannot evaluate \${{${expression}}}`);
    return value;
  });
}

/**
 * Computes the inputs of a step from its `with:`, or from the evaluated defaults. Like GitHub's runner, ignores
 * `required`.
 */
export function stepInputs(
  declared: readonly ActionInput[],
  given: Readonly<Record<string, string>>,
  context: ExpressionContext,
) {
  const byLowerName = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const known = new Set(declared.map((input) => input.name.toLowerCase()));
  const unexpected = Object.keys(given).filter((name) => !known.has(name.toLowerCase()));
  const values = [
    ...declared.map((input): [string, string] => [
      input.name,
      byLowerName.get(input.name.toLowerCase()) ?? evaluateDefault(input.default, context),
    ]),
    ...unexpected.map((name): [string, string] => [name, given[name] ?? '']),
  ];
  const deprecated = declared.flatMap(({ name, deprecationMessage }) =>
    deprecationMessage !== undefined && byLowerName.has(name.toLowerCase())
      ? [`Input '${name}' has been deprecated with message: ${deprecationMessage}`]
      : [],
  );
  const valid = declared.map((input) => input.name).join("', '");
  return {
    /** The variables `INPUT_*`. */
    environment: Object.fromEntries(values.map(([name, value]) => [inputVariable(name), value])),
    warnings: [
      ...deprecated,
      ...(unexpected.length === 0
        ? []
        : [`Unexpected input(s) '${unexpected.join("', '")}', valid inputs are ['${valid}']`]),
    ],
  };
}

/** Makes the name of an input's variable. Letters become upper case, and spaces become underscores. Dashes stay. */
export function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}
