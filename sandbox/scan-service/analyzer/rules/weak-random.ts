import type { SgNode } from '@ast-grep/napi';
import { FUNCTIONS } from '../name-index.ts';
import { namesSecret } from '../secret-names.ts';
import type { CodeRule } from './code-rule.ts';

export const weakRandom: CodeRule = {
  id: 'weak-random',
  cwe: 'CWE-338',
  severity: 'MEDIUM',
  title: 'Secret made by Math.random',
  description:
    'A secret value comes from `Math.random`. Its numbers can be predicted from a few earlier ones.',
  recommendedFix: 'Use `crypto.randomBytes`, `crypto.randomUUID` or `crypto.getRandomValues`.',
  notInTests: true,
  needs: /Math\s*\.\s*random/,
  matcher: { rule: { pattern: 'Math.random()' } },
  inspect(match) {
    const name = namesOf(match).find(namesSecret);
    if (name === undefined) return undefined;
    return { nodes: [match], proof: { kind: 'ANALYSIS', text: `What it returns becomes ${name}.` } };
  },
};

/**
 * Calls that make their result from the random number in their argument. A call such as `setTimeout` is not in this
 * list, because it uses the number for a different purpose.
 */
const PASSING_CALLS = /^(?:Array\.from|Math\.\w+|Number|String|parseInt)$|\.(?:at|charAt|concat|map)$/;
const NAMED_VALUES =
  /^(?:assignment_expression|augmented_assignment_expression|field_definition|pair|public_field_definition|variable_declarator)$/;

/**
 * Returns the names that show the use of a random value: the variable that gets it, and the function that returns it.
 */
function namesOf(random: SgNode): string[] {
  let inner = random;
  for (const node of random.ancestors()) {
    const kind = String(node.kind());
    if (NAMED_VALUES.test(kind)) {
      const name = lastName(
        node.field('name') ?? node.field('left') ?? node.field('key') ?? node.field('property'),
      );
      return [name, ...returnedAs(node, name)];
    }
    if (kind === 'return_statement') return functionName(node);
    if (kind === 'expression_statement' || kind === 'statement_block') return [];
    if (kind === 'arguments') {
      const callee = node.parent()?.field('function')?.text() ?? '';
      if (!PASSING_CALLS.test(callee)) return [];
    }
    if (kind === 'arrow_function' && inner.id() !== node.field('body')?.id()) return [];
    inner = node;
  }
  return [];
}

/** Returns the last name in an expression such as `this.session.token` or `entry['token']`. */
function lastName(target: SgNode | null): string {
  return (target?.field('property') ?? target?.field('index') ?? target)?.text().replace(/["'`]/g, '') ?? '';
}

/** Returns the name of the surrounding function if that function returns the variable. */
function returnedAs(node: SgNode, variable: string): string[] {
  const scope = node.ancestors().find((around) => FUNCTIONS.test(String(around.kind())));
  const returns = scope?.findAll({ rule: { kind: 'return_statement' } }) ?? [];
  return returns
    .filter((one) => one.namedChildren()[0]?.text().split(/\W/)[0] === variable)
    .flatMap((one) => functionName(one));
}

function functionName(node: SgNode): string[] {
  const scope = node.ancestors().find((around) => FUNCTIONS.test(String(around.kind())));
  const own = scope?.field('name');
  return [lastName(own ?? scope?.parent()?.field('name') ?? scope?.parent()?.field('key') ?? null)];
}
