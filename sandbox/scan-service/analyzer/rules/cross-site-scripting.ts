import type { SgNode } from '@ast-grep/napi';
import { valuesBehind } from '../checks.ts';
import { builtString, isFixed, outsideSource } from '../expressions.ts';
import { argumentsOf, MENTIONS_REQUEST, requestSource } from '../request-source.ts';
import { type CodeMatch, type CodeRule, callsNamed } from './code-rule.ts';
import { fromRequest } from './from-request.ts';

const MARKUP_WRITERS = /innerHTML|outerHTML|__html|insertAdjacentHTML|document\s*\.\s*write/;
const WRITING_CALL = /^(?:insertAdjacentHTML|write|writeln|send|end)$/;
const WRITES_MARKUP = /^(?:innerHTML|outerHTML)$/;
/** Matches the start of an HTML element, but not a `<` in a sentence. */
const ELEMENT = /<[a-z!][\w-]*[\s/>]/i;

const ASSIGNMENTS = [{ kind: 'assignment_expression' }, { kind: 'augmented_assignment_expression' }];

export const crossSiteScripting: CodeRule = {
  id: 'cross-site-scripting',
  cwe: 'CWE-79',
  severity: 'HIGH',
  title: 'Markup written from a variable',
  description:
    'A variable value becomes HTML without being escaped. An attacker who controls the value can run scripts in the browser of every visitor, with the permissions of that visitor.',
  recommendedFix:
    'Write text as text: `textContent`, or a template that escapes. Where markup is wanted, pass it through a sanitizer such as DOMPurify at the place where it is written.',
  needs: new RegExp(`${MARKUP_WRITERS.source}|${MENTIONS_REQUEST.source}`),
  matcher: {
    rule: {
      any: [
        { any: ASSIGNMENTS, has: { field: 'left', has: { field: 'property', regex: WRITES_MARKUP.source } } },
        { kind: 'pair', has: { field: 'key', regex: '^__html$' } },
        callsNamed(WRITING_CALL),
      ],
    },
  },
  inspect(match) {
    if (match.is('call_expression')) return ofCall(match);
    const left = match.field('left');
    if (left !== null && !WRITES_MARKUP.test(left.field('property')?.text() ?? '')) return undefined;
    return written(match.field('right') ?? match.field('value'));
  },
};

function ofCall(call: SgNode): CodeMatch | undefined {
  const callee = call.field('function');
  const method = callee?.field('property')?.text() ?? '';
  const given = argumentsOf(call);
  if (method === 'insertAdjacentHTML') return written(given[1] ?? null);
  if (/^document\.write(?:ln)?$/.test(callee?.text() ?? '')) return written(given[0] ?? null);
  return /^(?:send|end|write)$/.test(method) ? answered(given[0]) : undefined;
}

/**
 * Finds markup that a script writes into its page. Ignores a value that passed through a call, because the call may
 * have escaped it.
 */
function written(value: SgNode | null): CodeMatch | undefined {
  if (value === null || isFixed(value) || isOwnMarkup(value)) return undefined;
  const source = pageSource(value) ?? outsideSource(value);
  if (source === undefined) return undefined;
  const text = `The page is given ${source}, unchanged.`;
  return { nodes: valuesBehind(value, isForeign), proof: { kind: 'ANALYSIS', text } };
}

/**
 * True for markup of an element, such as `menu.innerHTML`. It is in the page already: the code only copies or moves it.
 */
function isOwnMarkup(value: SgNode): boolean {
  return WRITES_MARKUP.test(value.field('property')?.text() ?? '');
}

/** Finds markup in the answer of a server. */
function answered(value: SgNode | undefined): CodeMatch | undefined {
  const built = value === undefined ? undefined : builtString(value);
  if (value === undefined || built === undefined || !ELEMENT.test(built.node.text())) return undefined;
  return fromRequest(value, requestSource(value), 'The markup');
}

const OF_THE_ADDRESS =
  /^(?:(?:window|document)\.)?location\.(?:hash|search|href)$|^document\.(?:URL|referrer|documentURI)$/;

/** Finds an expression such as `location.hash`, and returns its text. The author of a link controls its value. */
function pageSource(value: SgNode): string | undefined {
  const values = builtString(value)?.dynamic ?? [value];
  return values
    .flatMap((part) => valuesBehind(part, () => true))
    .map((node) => node.text())
    .find((text) => OF_THE_ADDRESS.test(text));
}

function isForeign(value: SgNode): boolean {
  return (pageSource(value) ?? outsideSource(value)) !== undefined;
}
