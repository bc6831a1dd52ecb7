import type { JsonObject } from '../json.ts';

/** A field that a query asks for, its arguments already replaced by the values of the variables. */
export interface Selection {
  readonly name: string;
  /** The name in the answer: the alias if there is one. */
  readonly key: string;
  readonly arguments: JsonObject;
  readonly fields: readonly Selection[];
}

export class GraphqlSyntaxError extends Error {}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|[_A-Za-z]\w*|-?\d+(?:\.\d+)?|[{}()[\]:$!=]/y;
const IGNORED = /(?:[\s,\uFEFF]|#[^\n]*)*/y;

/**
 * Reads one query operation: nested fields with aliases and scalar arguments, given inline or by
 * variables. Fragments, directives and mutations are refused: the action uses none.
 */
export function readQuery(text: string, variables: JsonObject): readonly Selection[] {
  const tokens = tokenize(text);
  let at = 0;
  const next = () => {
    const token = tokens[at];
    if (token === undefined) throw new GraphqlSyntaxError('Unexpected end of document');
    at += 1;
    return token;
  };
  const expect = (wanted: string) => {
    const token = next();
    if (token !== wanted) throw new GraphqlSyntaxError(`Expected ${wanted}, actual: ${token}`);
  };
  const name = () => {
    const token = next();
    if (!/^[_A-Za-z]/.test(token)) throw new GraphqlSyntaxError(`Expected NAME, actual: ${token}`);
    return token;
  };
  const value = (): unknown => {
    const token = next();
    if (token === '$') return variables[name()];
    if (/^["\d-]/.test(token)) return JSON.parse(token);
    if (token === 'true' || token === 'false') return token === 'true';
    if (token === 'null') return null;
    throw new GraphqlSyntaxError(`Unexpected value: ${token}`);
  };
  const argumentList = (): JsonObject => {
    const given: [string, unknown][] = [];
    if (tokens[at] === '(') {
      next();
      while (tokens[at] !== ')') {
        const key = name();
        expect(':');
        given.push([key, value()]);
      }
      next();
    }
    return Object.fromEntries(given);
  };
  const selectionSet = (): Selection[] => {
    expect('{');
    const fields: Selection[] = [];
    while (tokens[at] !== '}') {
      const first = name();
      if (tokens[at] === ':') next();
      const field = tokens[at - 1] === ':' ? name() : first;
      const args = argumentList();
      fields.push({
        name: field,
        key: first,
        arguments: args,
        fields: tokens[at] === '{' ? selectionSet() : [],
      });
    }
    next();
    return fields;
  };

  if (tokens[at] === 'query') {
    // The variable definitions hold only types. The values are in the request.
    while (tokens[at] !== '{') next();
  }
  const selections = selectionSet();
  if (at < tokens.length) throw new GraphqlSyntaxError(`Unexpected ${tokens[at]} after the operation`);
  return selections;
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let at = skip(text, 0);
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new GraphqlSyntaxError(`Unexpected character at ${at}`);
    tokens.push(match[0]);
    at = skip(text, TOKEN.lastIndex);
  }
  return tokens;
}

function skip(text: string, at: number): number {
  IGNORED.lastIndex = at;
  IGNORED.exec(text);
  return IGNORED.lastIndex;
}
