import { Lang, parseAsync, type SgNode } from '@ast-grep/napi';
import type { CodeMatch, CodeRule } from './rules/code-rule.ts';
import { CODE_RULES } from './rules/code-rules.ts';
import { isTestFile } from './test-files.ts';
import { foldWhitespace, type LineRange, type Vulnerability } from './vulnerability.ts';

function languageOf(path: string): Lang | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^(?:[cm]?js|jsx)$/.test(ending)) return Lang.JavaScript;
  if (ending === 'tsx') return Lang.Tsx;
  return /^[cm]?ts$/.test(ending) ? Lang.TypeScript : undefined;
}

/** True if the file is JavaScript or TypeScript. */
export function isCode(path: string): boolean {
  return languageOf(path) !== undefined;
}

/** Applies all code rules to one file. Returns nothing for a file that is not JavaScript or TypeScript. */
export async function findCodeVulnerabilities(path: string, content: string): Promise<Vulnerability[]> {
  const language = languageOf(path);
  if (language === undefined) return [];
  const isTest = isTestFile(path);
  const rules = CODE_RULES.filter(
    ({ needs, notInTests = false }) => needs?.test(content) !== false && !(isTest && notInTests),
  );
  if (rules.length === 0) return [];
  const root = (await parseAsync(language, content)).root();
  return rules.flatMap((rule) => vulnerabilitiesOf(rule, root, path));
}

function vulnerabilitiesOf(rule: CodeRule, root: SgNode, path: string): Vulnerability[] {
  const seen = new Set<number>();
  return root.findAll(rule.matcher).flatMap((match) => {
    const found = seen.has(match.id()) ? undefined : rule.inspect(match);
    seen.add(match.id());
    return found === undefined ? [] : [vulnerabilityOf(rule, match, found, path)];
  });
}

function vulnerabilityOf(rule: CodeRule, match: SgNode, found: CodeMatch, path: string): Vulnerability {
  const [main = match, ...others] = found.nodes;
  // The lines from the call to its dangerous argument. Code after that argument, such as a long callback, is left out.
  const first: LineRange = { start: lines(match).start, end: lines(main).end };
  return {
    rule,
    path,
    places: [first, ...others.map(lines)],
    snippet: foldWhitespace([match.child(0) ?? match, main, ...others].map((node) => node.text()).join(' ')),
    proof: found.proof,
  };
}

function lines(node: SgNode): LineRange {
  const range = node.range();
  return { start: range.start.line + 1, end: range.end.line + 1 };
}
