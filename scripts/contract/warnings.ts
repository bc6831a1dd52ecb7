import { namesOf } from '../../sandbox/contract/names.ts';
import { type ContractOperation, operationsOf } from '../../sandbox/contract/operations.ts';
import { plainSchema } from '../../sandbox/contract/plain-schema.ts';
import { isObject, type JsonObject, objectAt, textAt } from '../../sandbox/json.ts';
import { LAUNCH, SCAN, USES } from './action-names.ts';
import { matchEndpoints } from './match-endpoints.ts';

/**
 * Finds what the action needs beside names: the base path, the authentication, the form of errors, the status of a
 * launch, and the word that completes a scan.
 */
export function warningsOf(ours: JsonObject, theirs: JsonObject): string[] {
  const { matches, prefix } = matchEndpoints(operationsOf(ours), operationsOf(theirs));
  const called = new Map(
    matches.flatMap(({ ours: { method, path }, theirs: other }) =>
      other !== undefined && `${method} ${path}` in USES ? [[`${method} ${path}`, other]] : [],
    ),
  );
  return [
    basePathWarning(theirs, prefix),
    authWarning(theirs),
    errorWarning(theirs, [...called.values()]),
    launchWarning(called.get(LAUNCH)),
    completionWarning(theirs, called.get(SCAN)),
  ].flatMap((warning) => warning ?? []);
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

function launchWarning(launch: ContractOperation | undefined): string | undefined {
  const statuses = [...(launch?.answers.keys() ?? [])].filter((status) => status.startsWith('2'));
  if (statuses.length === 0 || statuses.some((status) => /^2(?:02|XX)$/i.test(status))) return undefined;
  return `The file answers a launch with ${statuses.join(' and ')}. The action accepts only 202.`;
}

/** The status of a scan: in the member `scan`, or at the top of a file without this member. */
const STATUS = /^(?:scan\.)?status$/;

function completionWarning(document: JsonObject, read: ContractOperation | undefined): string | undefined {
  const values = namesOf(document, read === undefined ? [] : [read]).flatMap(({ side, at, word }) =>
    side.startsWith('answer') && STATUS.test(at.join('.')) ? (word ?? []) : [],
  );
  if (values.length === 0 || values.includes('COMPLETED')) return undefined;
  return `The status of a scan has the words ${values.join(', ')}. The action waits until it is COMPLETED, FAILED or CANCELLED.`;
}
