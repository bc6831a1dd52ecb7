import type { NapiConfig, SgNode } from '@ast-grep/napi';
import { builtString, outsideSource } from '../expressions.ts';
import { argumentsOf } from '../request-source.ts';
import type { Proof, RuleDescription } from '../vulnerability.ts';

/** The result of a rule for one match. */
export interface CodeMatch {
  /**
   * The nodes that make up the vulnerability. The range goes from the start of the match to the end of the node that
   * matters.
   */
  readonly nodes: readonly SgNode[];
  readonly proof: Proof | undefined;
}

/** One kind of vulnerability in JavaScript and TypeScript: an ast-grep matcher, and a check of its matches. */
export interface CodeRule extends RuleDescription {
  /** A file without this text is skipped before it is parsed. */
  readonly needs?: RegExp;
  /** The rule is about code that runs in production, so test files are left out. */
  readonly notInTests?: true;
  readonly matcher: NapiConfig;
  /** Undefined: the match is not a vulnerability. */
  inspect(match: SgNode): CodeMatch | undefined;
}

type Rule = NapiConfig['rule'];

/** Matches calls of one function by its pattern. The first argument is captured as `ARG`, and others may follow. */
export function callsOf(callee: string): Rule[] {
  return [{ pattern: `${callee}($ARG)` }, { pattern: `${callee}($ARG, $$$)` }];
}

/** Matches calls by the last name of the callee, so that the parser skips all others. */
export function callsNamed(names: RegExp): Rule {
  const regex = names.source;
  const member = { kind: 'member_expression', has: { field: 'property', regex } };
  return {
    kind: 'call_expression',
    has: { field: 'function', any: [{ kind: 'identifier', regex }, member] },
  };
}

/** Matches in files that import or require this module of Node. */
export function importing(module: string): Rule {
  const name: Rule = { kind: 'string', regex: `^.(node:)?${module}.$` };
  return { inside: { kind: 'program', stopBy: 'end', has: { ...name, stopBy: 'end' } } };
}

/** Inspects a match for rules about a built string in the first argument. */
export function inspectBuiltArgument(
  match: SgNode,
  wanted: (text: string) => boolean,
  sink: string,
): CodeMatch | undefined {
  const argument = match.getMatch('ARG') ?? argumentsOf(match)[0] ?? null;
  const built = argument === null ? undefined : builtString(argument);
  if (argument === null || built === undefined || !wanted(built.node.text())) return undefined;
  const source = built.dynamic.map((part) => outsideSource(part)).find((found) => found !== undefined);
  return {
    nodes: built.node.id() === argument.id() ? [argument] : [argument, built.node],
    proof:
      source === undefined ? undefined : { kind: 'ANALYSIS', text: `${sink} is given ${source}, unchanged.` },
  };
}
