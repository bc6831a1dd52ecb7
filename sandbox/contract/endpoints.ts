import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isObject, type JsonObject, textAt } from '../json.ts';
import { type Exactness, exactSchema } from './exact-schema.ts';
import { type ContractOperation, operationsOf } from './operations.ts';

/** An endpoint and its compiled checks. Each check returns one line for each problem. */
export type Endpoint = ReturnType<typeof createEndpoint>;

/** The most characters of a wrong value that a message quotes. Our choice. */
const LONGEST_QUOTE = 60;

type Check = (value: unknown) => string[];

/** Returns a function that finds an endpoint by its method and its path. The path has no version prefix. */
export function createEndpoints(
  document: JsonObject,
): (method: string, path: string) => Endpoint | undefined {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    verbose: true,
  });
  formats.default(ajv);
  const compile = (schema: unknown, exactness: Exactness): Check => {
    let isValid: ReturnType<typeof ajv.compile> | undefined;
    return (value) => {
      isValid ??= ajv.compile(Object(exactSchema(document, schema, exactness)));
      return isValid(value) ? [] : (isValid.errors ?? []).map(faultOf);
    };
  };
  const endpoints = operationsOf(document).map((operation) => ({
    method: operation.method,
    segments: operation.path.split('/'),
    endpoint: createEndpoint(operation, compile),
  }));
  return (method, path) => {
    const sent = path.split('/');
    const fits = (segment: string, index: number) =>
      segment.startsWith('{') ? sent[index] !== '' : segment === sent[index];
    return endpoints.find(
      (one) => one.method === method && one.segments.length === sent.length && one.segments.every(fits),
    )?.endpoint;
  };
}

function createEndpoint(
  operation: ContractOperation,
  compile: (schema: unknown, exactness: Exactness) => Check,
) {
  const { body, answers } = operation;
  const pair = (schema: unknown, one: Exactness, other: Exactness) => {
    const [wide, narrow] = [compile(schema, one), compile(schema, other)];
    return (value: unknown, isNarrow: boolean) => (isNarrow ? narrow(value) : wide(value));
  };
  const bodies = new Map(
    [...answers].map(([status, { schema }]) => [
      status,
      pair(schema, { closed: true, complete: false }, { closed: true, complete: true }),
    ]),
  );
  const asWritten = { closed: false, complete: false };
  const headers = new Map(
    [...answers].map(([status, answer]) => [
      status,
      [...answer.headers].map(([name, header]) => ({
        name,
        required: header['required'] === true,
        unless: header['x-sent-unless'],
        check: compile(header['schema'], asWritten),
      })),
    ]),
  );
  const parameters = operation.parameters
    .filter(({ place }) => place === 'query')
    .map((parameter) => ({ ...parameter, check: compile(parameter.schema, asWritten) }));
  return {
    /** The method and the path: `GET /projects/{projectId}/scans` */
    name: `${operation.method} ${operation.path}`,
    statuses: [...answers.keys()],
    needsBody: body?.required ?? false,
    /** Undefined if the endpoint takes no body. If the second argument is true, an unknown member is a problem. */
    body: body && pair(body.schema, asWritten, { closed: true, complete: false }),

    /** If `closed` is true, an unknown parameter is a problem. */
    query(query: URLSearchParams, closed: boolean): string[] {
      const named = parameters.flatMap(({ name, required, check }) => {
        const value = query.get(name);
        if (value === null) return required ? [`the query parameter ${name} is missing`] : [];
        return faultsOfText(check, value).map((fault) => `the query parameter ${name}: ${fault}`);
      });
      const others = [...query.keys()].filter((name) => !parameters.some((one) => one.name === name));
      return closed ? [...named, ...others.map((name) => `unknown query parameter ${name}`)] : named;
    },

    answer: (status: string, value: unknown, complete: boolean): string[] =>
      bodies.get(status)?.(value, complete) ?? [],

    headers(status: string, sent: ReadonlyMap<string, string>, value: unknown): string[] {
      return (headers.get(status) ?? []).flatMap(({ name, required, unless, check }) => {
        const text = sent.get(name);
        const isDue = isObject(unless) ? !isAt(value, unless) : required;
        if (text === undefined) return isDue ? [`the header ${name} is missing`] : [];
        if (isObject(unless) && !isDue) return [`the header ${name} is not expected`];
        return faultsOfText(check, text).map((fault) => `the header ${name}: ${fault}`);
      });
    },
  };
}

/** Checks the text of a parameter or a header. A text such as `10` can be valid as text or as a number. */
function faultsOfText(check: Check, text: string): string[] {
  const faults = check(text);
  return faults.length > 0 && /^-?\d+(?:\.\d+)?$/.test(text) ? check(Number(text)) : faults;
}

function isAt(body: unknown, unless: JsonObject): boolean {
  let value = body;
  for (const name of (textAt(unless, 'member') ?? '').split('.'))
    value = isObject(value) ? value[name] : undefined;
  return Array.isArray(unless['values']) && unless['values'].includes(value);
}

function faultOf({ instancePath, keyword, message, params, data }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : instancePath.slice(1).replaceAll('/', '.');
  const given: Record<string, unknown> = params;
  if (keyword === 'additionalProperties')
    return `${place}: the contract does not name ${given['additionalProperty']}`;
  const allowed = given['allowedValues'] ?? given['allowedValue'];
  const wanted = allowed === undefined ? '' : ` (${JSON.stringify(allowed)})`;
  const found = typeof data === 'object' ? '' : `, not ${String(data).slice(0, LONGEST_QUOTE)}`;
  return `${place} ${message ?? 'is wrong'}${wanted}${found}`;
}
