import type { NapiConfig, SgNode } from '@ast-grep/napi';
import { builtString, outsideSource } from '../expressions.ts';
import { argumentsOf } from '../request-source.ts';
import type { Proof, RuleDescription } from '../vulnerability.ts';

/** A vulnerability that a rule found in one match of its matcher. */
export interface CodeMatch {
  /**
   * The nodes of the vulnerability. The first node is the dangerous one. Its lines begin with the first line of the
   * match.
   */
  readonly nodes: readonly SgNode[];
  readonly proof: Proof;
}

/** One kind of vulnerability in JavaScript and TypeScript: a matcher of ast-grep, and a check of its matches. */
export interface CodeRule extends RuleDescription {
  /** The rule skips a file whose text does not match this pattern. A file that every rule skips is not parsed. */
  readonly needs?: RegExp;
  /** If set, the rule skips test files, because it is about code that runs in production. */
  readonly notInTests?: true;
  readonly matcher: NapiConfig;
  /** Returns undefined if the match is not a vulnerability. */
  inspect(match: SgNode): CodeMatch | undefined;
}

type Rule = NapiConfig['rule'];

/** Matches calls of one function. The rules can use the first argument as `ARG`. More arguments may follow. */
export function callsOf(callee: string): Rule[] {
  return [{ pattern: `${callee}($ARG)` }, { pattern: `${callee}($ARG, $$$)` }];
}

/**
 * Matches calls of functions whose last name matches `names`. The last name of `fs.promises.readFile` is `readFile`.
 */
export function callsNamed(names: RegExp): Rule {
  const regex = names.source;
  const member = { kind: 'member_expression', has: { field: 'property', regex } };
  return {
    kind: 'call_expression',
    has: { field: 'function', any: [{ kind: 'identifier', regex }, member] },
  };
}

/** Matches the nodes of a file that imports or requires this module of Node.js. */
export function importing(module: string): Rule {
  const name: Rule = { kind: 'string', regex: `^.(node:)?${module}.$` };
  return { inside: { kind: 'program', stopBy: 'end', has: { ...name, stopBy: 'end' } } };
}

/** Inspects a match of a rule that looks for a composed string in the first argument. */
export function inspectBuiltArgument(
  match: SgNode,
  wanted: (text: string) => boolean,
  sink: string,
): CodeMatch | undefined {
  const argument = match.getMatch('ARG') ?? argumentsOf(match)[0] ?? null;
  const built = argument === null ? undefined : builtString(argument);
  if (argument === null || built === undefined || !wanted(built.node.text())) return undefined;
  const source = built.dynamic.map((part) => outsideSource(part)).find((found) => found !== undefined);
  const nodes = built.node.id() === argument.id() ? [argument] : [argument, built.node];
  const text = `${sink} is given ${source}, unchanged.`;
  return { nodes, proof: source === undefined ? null : { kind: 'ANALYSIS', text } };
}
