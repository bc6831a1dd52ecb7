import type { SgNode } from '@ast-grep/napi';
import { isFixed, outsideSource } from '../expressions.ts';
import { calledName, importedFunction } from '../imports.ts';
import { argumentsOf } from '../request-source.ts';
import { type CodeRule, callsNamed } from './code-rule.ts';

/** The functions that turn data into functions, each with the module that exports it. */
const REVIVERS: ReadonlyMap<string, string> = new Map([
  ['deepDeserialize', 'funcster'],
  ['deserialize', 'serialize-to-js'],
  ['load', 'js-yaml'],
  ['loadAll', 'js-yaml'],
  ['parse', 'cryo'],
  ['unserialize', 'node-serialize'],
]);
/** The schema of js-yaml that supports `!!js/function`. Since version 4, this schema is a separate module. */
const FUNCTION_SCHEMA = /\bDEFAULT_FULL_SCHEMA\b|\bjs-yaml-js-types\b/;

export const unsafeDeserialization: CodeRule = {
  id: 'unsafe-deserialization',
  cwe: 'CWE-502',
  severity: 'HIGH',
  title: 'Data read by a reader that makes code of it',
  description:
    'The deserializer turns data into functions and may call them. An attacker who controls the data can run any code in this program.',
  recommendedFix:
    'Read data as data: `JSON.parse`, or `yaml.load` with its default schema; then check its form.',
  needs: /['"](?:cryo|funcster|js-yaml|node-serialize|serialize-to-js)['"]/,
  matcher: { rule: callsNamed(new RegExp(`^(?:${[...REVIVERS.keys()].join('|')})$`)) },
  inspect(match) {
    const [data, options] = argumentsOf(match);
    if (data === undefined || !makesCode(match, options) || isFixed(data)) return undefined;
    const source = outsideSource(data);
    const text = `The reader is given ${source}, unchanged.`;
    return { nodes: [data], proof: source === undefined ? null : { kind: 'ANALYSIS', text } };
  },
};

function makesCode(call: SgNode, options: SgNode | undefined): boolean {
  const module = REVIVERS.get(calledName(call));
  if (module === undefined || importedFunction(call)?.module !== module) return false;
  return module !== 'js-yaml' || FUNCTION_SCHEMA.test(options?.text() ?? '');
}
