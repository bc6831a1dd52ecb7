import type { SgNode } from '@ast-grep/napi';
import { WRAPPERS } from '../expressions.ts';
import { calledName, importedFunction } from '../imports.ts';
import { argumentsOf } from '../request-source.ts';
import { MENTIONS_SECRET, namesSecret } from '../secret-names.ts';
import type { CodeRule } from './code-rule.ts';

const SHORTEST = 8;

export const hardCodedCredential: CodeRule = {
  id: 'hard-coded-credential',
  cwe: 'CWE-798',
  severity: 'HIGH',
  title: 'Hard-coded credential',
  description:
    'A value that has to be secret is written into the code. Everybody who can read the repository, now or later in its history, can use it.',
  recommendedFix:
    'Change the secret, because it stays in the history. Read it from the environment or a secret store, without a default in the code.',
  notInTests: true,
  needs: MENTIONS_SECRET,
  // A secret has at least `SHORTEST` characters, a digit and no spaces. The parser skips all other strings.
  matcher: {
    rule: {
      any: [{ kind: 'string' }, { kind: 'template_string' }],
      all: [{ regex: `^.[\\x21-\\x7e]{${SHORTEST},}.$` }, { regex: '[0-9]' }],
    },
  },
  inspect(match) {
    const text = match.text();
    if (text.includes('${') || !looksSecret(text.slice(1, -1))) return undefined;
    const use = useOf(match);
    // The finding has no proof, because the code does not show whether the value is still in use.
    return use === undefined ? undefined : { nodes: [match, use], proof: null };
  },
};

/**
 * Finds the node that shows that a text is a secret. It is the name of the text, or a function of `jsonwebtoken` that
 * signs or verifies with the text.
 */
function useOf(text: SgNode): SgNode | undefined {
  let value = text;
  for (const node of text.ancestors()) {
    if (isDefault(node, value) || WRAPPERS.test(String(node.kind()))) {
      value = node;
      continue;
    }
    if (node.is('arguments')) return signer(node.parent(), value);
    const target = node.field('left') ?? node.field('key') ?? node.field('name') ?? node.field('property');
    const given = node.field('value') ?? node.field('right');
    const isNamed = target !== null && given?.id() === value.id() && !node.is('binary_expression');
    return isNamed && namesSecret(nameIn(target)) ? target : undefined;
  }
  return undefined;
}

/** True for the default of a setting, such as `process.env.TOKEN ?? '…'`. */
function isDefault(node: SgNode, value: SgNode): boolean {
  const operator = node.is('binary_expression') ? node.field('operator')?.text() : undefined;
  return (operator === '||' || operator === '??') && node.field('right')?.id() === value.id();
}

function nameIn(target: SgNode): string {
  return (target.field('property') ?? target.field('index') ?? target).text().replace(/["'`]/g, '');
}

function signer(call: SgNode | null, key: SgNode): SgNode | undefined {
  if (call === null || !/^(?:sign|verify)$/.test(calledName(call))) return undefined;
  if (argumentsOf(call)[1]?.id() !== key.id()) return undefined;
  return importedFunction(call)?.module === 'jsonwebtoken'
    ? (call.field('function') ?? undefined)
    : undefined;
}

const PLACEHOLDER =
  /change.?me|dummy|example|fake|insert|mock|placeholder|redacted|replace|sample|todo|(?:^|[^a-z])(?:test|your)|x{4}|\*{3}|\.{3}|(.)\1{5}|<[^>]*>|\{\{/i;
/** Matches readable text with numbers and separators, such as a message, a translation key or the name of a setting. */
const READABLE_TEXT = /^[A-Za-z]+\d?(?:[-_.:/][A-Za-z]*\d{0,2})*$/;

/** True if the text is hard to guess. False for a label, a placeholder or an address. */
function looksSecret(text: string): boolean {
  if (text.length < SHORTEST || !/^[\x21-\x7e]+$/.test(text)) return false;
  if (PLACEHOLDER.test(text) || READABLE_TEXT.test(text) || /^\w+:\/\/|^[./#]/.test(text)) return false;
  return /[A-Za-z]/.test(text) && /\d/.test(text);
}
