import type { SgNode } from '@ast-grep/napi';
import { bindingOf } from './bindings.ts';
import { isConcatenation, MOST_STEPS, operandsOf, unwrap } from './expressions.ts';
import { calledName, importedFunction } from './imports.ts';

/** Data that the sender of a request controls. */
export interface RequestSource {
  /** The expression in the code, such as `req.query`. */
  readonly text: string;
  /** True if the data is the address of the request. The sender controls the path of the address, but not the host. */
  readonly isOwnAddress: boolean;
  /** True for a header. A program can set a header, but a link cannot. */
  readonly isHeader: boolean;
}

const REQUEST_NAME = /^_?(?:req|request|ctx|context)$/;
const REQUEST_TYPE = /\b(?:Request|IncomingMessage|Context)\b/;
/**
 * Matches the names and the types that an HTTP request can have in the code. The rules find requests only in files that
 * match.
 */
export const MENTIONS_REQUEST = /\b_?(?:req|request|ctx|context)\b|\b(?:Request|IncomingMessage|Context)\b/;
const ADDRESS_PROPERTIES = /^(?:originalUrl|url|nextUrl)$/;
const OTHER_PROPERTIES = /^(?:body|cookies|headers|params|pathParameters|query|queryStringParameters)$/;
const READERS = /^(?:get|header|param|query)$/;
const BODY_READERS = /^(?:formData|json|text)$/;
/** These methods do not make a dangerous text safe. A method that is not in this list may check or escape the text. */
const PASSING_METHODS = /^(?:at|get|normalize|toLowerCase|toString|toUpperCase|trim)$/;
const PASSING_FUNCTIONS = /^(?:Buffer\.from|JSON\.parse|String|decodeURI|decodeURIComponent)$/;
const PASSING_PATH = /^(?:join|normalize|resolve)$/;

/**
 * Finds the request data in an expression. Data that passed through an unknown function does not count. Returns a
 * header only if it is the only request data in the expression. Undefined if the file does not show that the expression
 * contains request data.
 */
export function requestSource(expression: SgNode, steps = MOST_STEPS): RequestSource | undefined {
  const node = unwrap(expression);
  const first = (nodes: readonly (SgNode | null | undefined)[]) => firstSource(nodes, steps);
  if (node.is('identifier')) {
    const binding = steps === 0 ? undefined : bindingOf(node);
    return binding?.kind === 'value' ? requestSource(binding.value, steps - 1) : undefined;
  }
  if (node.is('member_expression') || node.is('subscript_expression')) return ofMember(node, steps);
  if (node.is('template_string') || isConcatenation(node)) return first(operandsOf(node));
  if (node.is('ternary_expression')) return first([node.field('consequence'), node.field('alternative')]);
  if (node.is('binary_expression')) {
    const operator = node.field('operator')?.text() ?? '';
    if (operator === '&&') return first([node.field('right')]);
    return /^(?:\|\||\?\?)$/.test(operator) ? first([node.field('left'), node.field('right')]) : undefined;
  }
  if (node.is('new_expression')) {
    const made = node.field('constructor')?.text() ?? '';
    return /^URL(?:SearchParams)?$/.test(made) ? first(argumentsOf(node).slice(0, 1)) : undefined;
  }
  return node.is('call_expression') ? ofCall(node, steps) : undefined;
}

function firstSource(
  nodes: readonly (SgNode | null | undefined)[],
  steps: number,
): RequestSource | undefined {
  let header: RequestSource | undefined;
  for (const node of nodes) {
    const source = node === null || node === undefined ? undefined : requestSource(node, steps);
    if (source?.isHeader === false) return source;
    header ??= source;
  }
  return header;
}

export function argumentsOf(call: SgNode): SgNode[] {
  return call.field('arguments')?.namedChildren() ?? [];
}

function ofMember(node: SgNode, steps: number): RequestSource | undefined {
  const object = node.field('object');
  const property = node.field('property')?.text() ?? '';
  if (object === null || property === 'length') return undefined;
  if (isRequest(object)) {
    const isOwnAddress = ADDRESS_PROPERTIES.test(property);
    if (!isOwnAddress && !OTHER_PROPERTIES.test(property)) return undefined;
    return { text: node.text(), isOwnAddress, isHeader: property === 'headers' };
  }
  const whole = requestSource(object, steps);
  if (whole === undefined) return undefined;
  return property === 'searchParams' ? { ...whole, isOwnAddress: false } : whole;
}

function ofCall(call: SgNode, steps: number): RequestSource | undefined {
  const callee = call.field('function');
  if (callee === null) return undefined;
  const given = argumentsOf(call);
  if (PASSING_FUNCTIONS.test(callee.text())) return firstSource(given.slice(0, 1), steps);
  if (PASSING_PATH.test(calledName(call)) && importedFunction(call)?.module === 'path')
    return firstSource(given, steps);
  const object = callee.field('object');
  const method = callee.field('property')?.text() ?? '';
  if (object === null) return undefined;
  if (isRequest(object)) {
    const reads = given.length === 0 ? BODY_READERS.test(method) : READERS.test(method);
    const isHeader = method === 'get' || method === 'header';
    return reads ? { text: `${object.text()}.${method}()`, isOwnAddress: false, isHeader } : undefined;
  }
  return PASSING_METHODS.test(method) ? requestSource(object, steps) : undefined;
}

/**
 * True for a parameter whose name or type is that of a request or a context. Also true for the member `req` or
 * `request` of any parameter.
 */
function isRequest(expression: SgNode): boolean {
  const node = unwrap(expression);
  if (node.is('member_expression')) {
    const object = node.field('object');
    const isParameter = object?.is('identifier') === true && bindingOf(object)?.kind === 'parameter';
    return isParameter && /^(?:req|request)$/.test(node.field('property')?.text() ?? '');
  }
  const binding = node.is('identifier') ? bindingOf(node) : undefined;
  if (binding?.kind !== 'parameter') return false;
  return REQUEST_NAME.test(node.text()) || REQUEST_TYPE.test(binding.declaration.field('type')?.text() ?? '');
}
