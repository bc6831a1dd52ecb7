import { isObject, type JsonObject, objectAt, textAt } from '../json.ts';
import { resolve } from './plain-schema.ts';

/** One endpoint of an OpenAPI document (3.0 or 3.1). Its schemas can refer to other places in the document. */
export type ContractOperation = ReturnType<typeof operationsOf>[number];

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'] as const;

/**
 * Reads every endpoint of a document, in the order of the document. `method` is in capitals. `path` is as it is in the
 * document. `scopes` is empty if every token may call the endpoint. `body` is undefined if the endpoint takes no JSON
 * body. The keys of `answers` are the statuses in the document, such as `200` or `default`.
 */
export function operationsOf(document: JsonObject) {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, reference]) => {
    const item = resolve(document, reference);
    return METHODS.filter((method) => isObject(item[method])).map((method) => {
      const operation = objectAt(item, method);
      const own = parametersOf(document, operation['parameters']);
      const isOwn = (one: (typeof own)[number]) =>
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

function parametersOf(document: JsonObject, list: unknown) {
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

function bodyOf(document: JsonObject, reference: unknown) {
  const body = resolve(document, reference);
  const schema = jsonSchemaOf(body);
  return schema === undefined ? undefined : { required: body['required'] === true, schema };
}

/** Headers are by their lower-case names. A schema is undefined if the answer has no JSON body. */
function answersOf(document: JsonObject, responses: JsonObject) {
  return new Map(
    Object.entries(responses).map(([status, reference]) => {
      const answer = resolve(document, reference);
      const headers = Object.entries(objectAt(answer, 'headers')).map(
        ([name, header]) => [name.toLowerCase(), resolve(document, header)] as const,
      );
      return [status, { schema: jsonSchemaOf(answer), headers: new Map(headers) }] as const;
    }),
  );
}

/** Returns the schema of a JSON body. Parameters of the media type, such as a character set, do not matter. */
function jsonSchemaOf(holder: JsonObject): unknown {
  const content = objectAt(holder, 'content');
  const type = Object.keys(content).find((name) => /^application\/(?:[\w.+-]*\+)?json\b|^\*\/\*/i.test(name));
  return type === undefined ? undefined : (objectAt(content, type)['schema'] ?? {});
}
