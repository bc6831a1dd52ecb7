import { type ContractOperation, operationsOf } from '../../sandbox/contract/operations.ts';
import { plainSchema } from '../../sandbox/contract/plain-schema.ts';
import { isObject, type JsonObject, objectAt, textAt } from '../../sandbox/json.ts';
import { isCalled } from './action-names.ts';
import { matchEndpoints } from './match-endpoints.ts';

/** Finds what the action needs beside names: the base path, the authentication and the form of errors. */
export function warningsOf(ours: JsonObject, theirs: JsonObject): string[] {
  const { matches, prefix } = matchEndpoints(operationsOf(ours), operationsOf(theirs));
  const called = matches.flatMap(({ ours: one, theirs: other }) =>
    other !== undefined && isCalled(`${one.method} ${one.path}`) ? [other] : [],
  );
  return [basePathWarning(theirs, prefix), authWarning(theirs), errorWarning(theirs, called)].flatMap(
    (warning) => warning ?? [],
  );
}

/** @param prefix what the paths of the document have before ours */
function basePathWarning(document: JsonObject, prefix: string): string | undefined {
  const servers = Array.isArray(document['servers']) ? document['servers'].filter(isObject) : [];
  const paths = (servers.length === 0 ? [{}] : servers).map((server) => {
    const url = textAt(server, 'url') ?? '';
    return `${url.replace(/^[a-z+.-]+:\/\/[^/]*/i, '').replace(/\/$/, '')}${prefix}`;
  });
  if (paths.some((one) => one.endsWith('/api/v1'))) return undefined;
  const [shown = ''] = paths;
  return `The file has ${shown === '' ? 'no base path' : `the base path ${shown}`}. The input base-url has to end in /api/v1.`;
}

function authWarning(document: JsonObject): string | undefined {
  const schemes = Object.values(objectAt(objectAt(document, 'components'), 'securitySchemes')).filter(
    isObject,
  );
  const isBearer = (scheme: JsonObject) =>
    (scheme['type'] === 'http' && String(scheme['scheme']).toLowerCase() === 'bearer') ||
    (scheme['type'] === 'apiKey' && String(scheme['name']).toLowerCase() === 'authorization');
  if (schemes.some(isBearer)) return undefined;
  const others = schemes.map((scheme) => String(scheme['type'])).join(', ');
  return `The file has ${others === '' ? 'no authentication' : `other authentication (${others})`}. The action sends the header "Authorization: Bearer".`;
}

function errorWarning(document: JsonObject, called: readonly ContractOperation[]): string | undefined {
  const failures = called.flatMap(({ answers }) => [...answers].filter(([status]) => !/^[123]/.test(status)));
  const members = (schema: unknown) => objectAt(plainSchema(document, schema), 'properties');
  const hasCode = ([, { schema }]: (typeof failures)[number]) => 'code' in members(members(schema)['error']);
  if (failures.some(hasCode)) return undefined;
  const has = failures.length === 0 ? 'no error answers' : 'error answers without `error.code`';
  return `The file has ${has}. The action decides by \`error.code\` in the body, for example \`insufficient_credits\`.`;
}
