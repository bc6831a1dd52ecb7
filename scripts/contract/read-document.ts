import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { UsageError } from '../../sandbox/command-line.ts';
import { isObject, type JsonObject } from '../../sandbox/json.ts';

/** Reads an OpenAPI 3.0 or 3.1 document in JSON or YAML. Throws `UsageError` if it cannot be read or compared. */
export function readDocument(file: string): JsonObject {
  const document = parsed(file, textOf(file));
  const fault = faultOf(document);
  if (fault === undefined && isObject(document)) return document;
  throw new UsageError(`${file} ${fault}`);
}

function faultOf(document: unknown): string | undefined {
  if (!isObject(document)) return 'does not contain an object. Use an OpenAPI file.';
  const { openapi, swagger, paths } = document;
  if (typeof swagger === 'string') return `is a Swagger ${swagger} file. Convert it to OpenAPI 3.`;
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi))
    return 'is not an OpenAPI 3.0 or 3.1 file. Its `openapi` field has to begin with 3.0 or 3.1.';
  if (!isObject(paths)) return 'has no paths. Use a whole OpenAPI file.';
  const [elsewhere] = referencesToFiles(document);
  return elsewhere === undefined
    ? undefined
    : `refers to another file, ${elsewhere}. Put them into one file, such as with \`npx @redocly/cli bundle\`.`;
}

/** Finds references to different files. The content of those files could not be compared. */
function referencesToFiles(document: JsonObject): readonly string[] {
  const found: string[] = [];
  JSON.stringify(document, (name, value: unknown) => {
    if (name === '$ref' && typeof value === 'string' && !value.startsWith('#'))
      found.push(value.replace(/\p{Cc}/gu, '?').slice(0, 200));
    return value;
  });
  return found;
}

const CAUSES: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['EISDIR', 'is a folder'],
  ['EACCES', 'is not readable by this user'],
]);

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const cause = CAUSES.get(Reflect.get(Object(error), 'code')) ?? 'cannot be read';
    throw new UsageError(`${file} ${cause}. Use the path of an OpenAPI file.`);
  }
}

function parsed(file: string, text: string): unknown {
  // YAML includes JSON, but the YAML parser is slow for a large file. So the JSON parser comes first.
  try {
    return JSON.parse(text);
  } catch {}
  try {
    // An alias of YAML can make a record contain itself. The conversion to JSON then fails.
    return JSON.parse(JSON.stringify(parse(text, { logLevel: 'error' })));
  } catch (error) {
    const [reason] = String(Reflect.get(Object(error), 'message')).split('\n');
    throw new UsageError(`${file} is neither JSON nor YAML (${reason}). Use an OpenAPI file.`);
  }
}
