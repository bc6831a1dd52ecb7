import type { NapiConfig, SgNode } from '@ast-grep/napi';
import { builtString, outsideSource } from '../expressions.ts';
import type { Proof, RuleDescription } from '../flaw.ts';

/** What a rule made of one match of its matcher. */
export interface CodeMatch {
  /** The nodes that make up the flaw; from the start of the match to the end of the node that matters. */
  readonly nodes: readonly SgNode[];
  readonly proof: Proof | undefined;
}

/** One kind of flaw in JavaScript and TypeScript: an ast-grep matcher, and a second look at what it matched. */
export interface CodeRule extends RuleDescription {
  /** A file without this text is left out, before its code is looked at. */
  readonly needs?: RegExp;
  readonly matcher: NapiConfig;
  /** Undefined: the match is no flaw. */
  inspect(match: SgNode): CodeMatch | undefined;
}

type Rule = NapiConfig['rule'];

/** Calls of one function by its pattern, whatever follows the first argument, which is captured as `ARG`. */
export function callsOf(callee: string): Rule[] {
  return [{ pattern: `${callee}($ARG)` }, { pattern: `${callee}($ARG, $$$)` }];
}

/** The file imports or requires this module of Node. */
export function importing(module: string): Rule {
  const name: Rule = { kind: 'string', regex: `^.(node:)?${module}.$` };
  return { inside: { kind: 'program', stopBy: 'end', has: { ...name, stopBy: 'end' } } };
}

/** For rules about a string that is put together and handed on as the first argument. */
export function inspectBuiltArgument(
  match: SgNode,
  wanted: (text: string) => boolean,
  sink: string,
): CodeMatch | undefined {
  const argument = match.getMatch('ARG');
  const built = argument === null ? undefined : builtString(argument);
  if (argument === null || built === undefined || !wanted(built.node.text())) return undefined;
  const source = built.dynamic.map((part) => outsideSource(part)).find((found) => found !== undefined);
  return {
    nodes: built.node.id() === argument.id() ? [argument] : [argument, built.node],
    proof:
      source === undefined ? undefined : { kind: 'ANALYSIS', text: `${sink} is given ${source}, unchanged.` },
  };
}
