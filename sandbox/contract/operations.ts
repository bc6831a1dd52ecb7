import { isObject, type JsonObject, objectAt, textAt } from '../json.ts';
import { resolve } from './plain-schema.ts';

/** One endpoint of an OpenAPI document (3.0 or 3.1). Its schemas can refer to other places in the document. */
export interface ContractOperation {
  /** In capitals, for example `GET`. */
  readonly method: string;
  /** The path as it is in the document, for example `/projects/{projectId}/scans`. */
  readonly path: string;
  readonly parameters: readonly ContractParameter[];
  /** The scopes that a token needs. Empty if every token may call the endpoint. */
  readonly scopes: readonly string[];
  /** Undefined if the endpoint takes no JSON body. */
  readonly body: { readonly required: boolean; readonly schema: unknown } | undefined;
  /** The key is the status in the document, such as `200` or `default`. */
  readonly answers: ReadonlyMap<string, ContractAnswer>;
}

export interface ContractParameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly schema: unknown;
}

export interface ContractAnswer {
  /** The schema of the JSON body. Undefined if the answer has no JSON body. */
  readonly schema: unknown;
  /** The headers by their lower-case names. */
  readonly headers: ReadonlyMap<string, JsonObject>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'] as const;

/** Reads every endpoint of a document, in the order of the document. */
export function operationsOf(document: JsonObject): ContractOperation[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, reference]) => {
    const item = resolve(document, reference);
    return METHODS.filter((method) => isObject(item[method])).map((method) => {
      const operation = objectAt(item, method);
      const own = parametersOf(document, operation['parameters']);
      const isOwn = (one: ContractParameter) =>
        own.some((other) => other.name === one.name && other.place === one.place);
      const shared = parametersOf(document, item['parameters']).filter((one) => !isOwn(one));
      return {
        method: method.toUpperCase(),
        path,
        parameters: [...shared, ...own],
        scopes: scopesOf(operation['security'] ?? document['security']),
        body: bodyOf(document, operation['requestBody']),
        answers: answersOf(document, objectAt(operation, 'responses')),
      };
    });
  });
}

function parametersOf(document: JsonObject, list: unknown): ContractParameter[] {
  return (Array.isArray(list) ? list : []).flatMap((reference: unknown) => {
    const parameter = resolve(document, reference);
    const [name, place] = [textAt(parameter, 'name'), textAt(parameter, 'in')];
    if (name === undefined || place === undefined) return [];
    return [{ name, place, required: parameter['required'] === true, schema: parameter['schema'] ?? {} }];
  });
}

function scopesOf(security: unknown): string[] {
  const [first] = Array.isArray(security) ? security.filter(isObject) : [];
  return Object.values(first ?? {})
    .flat()
    .filter((scope) => typeof scope === 'string');
}

function bodyOf(document: JsonObject, reference: unknown): ContractOperation['body'] {
  const body = resolve(document, reference);
  const schema = jsonSchemaOf(body);
  return schema === undefined ? undefined : { required: body['required'] === true, schema };
}

function answersOf(document: JsonObject, responses: JsonObject): Map<string, ContractAnswer> {
  return new Map(
    Object.entries(responses).map(([status, reference]) => {
      const answer = resolve(document, reference);
      const headers = Object.entries(objectAt(answer, 'headers')).map(
        ([name, header]) => [name.toLowerCase(), resolve(document, header)] as const,
      );
      return [status, { schema: jsonSchemaOf(answer), headers: new Map(headers) }];
    }),
  );
}

/** Returns the schema of a JSON body. Parameters of the media type, such as a character set, do not matter. */
function jsonSchemaOf(holder: JsonObject): unknown {
  const content = objectAt(holder, 'content');
  const type = Object.keys(content).find((name) => /^application\/(?:[\w.+-]*\+)?json\b|^\*\/\*/i.test(name));
  return type === undefined ? undefined : (objectAt(content, type)['schema'] ?? {});
}
