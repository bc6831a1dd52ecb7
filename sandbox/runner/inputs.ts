import type { ActionInput } from './action-manifest.ts';

type GitHubContext = Readonly<Record<string, string>>;

/** Replaces each `${{ github.x }}` by its value. Throws if it cannot evaluate an expression. */
function evaluateDefault(text: string, github: GitHubContext): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const [, name = ''] = /^\s*github\.([\w-]+)\s*$/.exec(expression) ?? [];
    const value = Object.hasOwn(github, name) ? github[name] : undefined;
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
  github: GitHubContext,
) {
  const byLowerName = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const known = new Set(declared.map((input) => input.name.toLowerCase()));
  const unexpected = Object.keys(given).filter((name) => !known.has(name.toLowerCase()));
  const values = [
    ...declared.map((input): [string, string] => [
      input.name,
      byLowerName.get(input.name.toLowerCase()) ?? evaluateDefault(input.default, github),
    ]),
    ...unexpected.map((name): [string, string] => [name, given[name] ?? '']),
  ];
  const valid = declared.map((input) => input.name).join("', '");
  return {
    /** The variables `INPUT_*`. */
    environment: Object.fromEntries(values.map(([name, value]) => [inputVariable(name), value])),
    warnings:
      unexpected.length === 0
        ? []
        : [`Unexpected input(s) '${unexpected.join("', '")}', valid inputs are ['${valid}']`],
  };
}

/** Makes the name of an input's variable. Letters become upper case, and spaces become underscores. Dashes stay. */
export function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}
