import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject, type JsonObject } from '../../sandbox/json.ts';

/** The file cannot be read, or cannot be compared. The message states the problem. */
export class Unreadable extends Error {}

/** Reads an OpenAPI 3.0 or 3.1 document in JSON or YAML. Throws `Unreadable`. */
export function readDocument(file: string): JsonObject {
  const document = parsed(file, textOf(file));
  if (!isObject(document)) throw new Unreadable(`${file} does not contain an object. Use an OpenAPI file.`);
  const { openapi, swagger, paths } = document;
  if (typeof swagger === 'string') {
    throw new Unreadable(`${file} is a Swagger ${swagger} file. Convert it to OpenAPI 3.`);
  }
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi)) {
    throw new Unreadable(
      `${file} is not an OpenAPI 3.0 or 3.1 file. Its \`openapi\` field has to begin with 3.0 or 3.1.`,
    );
  }
  if (!isObject(paths)) throw new Unreadable(`${file} has no paths. Use a whole OpenAPI file.`);
  const elsewhere = referenceToFile(document);
  if (elsewhere !== undefined) {
    throw new Unreadable(
      `${file} refers to another file, ${elsewhere}. Put them into one file, such as with \`npx @redocly/cli bundle\`.`,
    );
  }
  return document;
}

/** Finds a reference to a different file. The content of that file could not be compared. */
function referenceToFile(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstOf(value);
  if (!isObject(value)) return undefined;
  const { $ref } = value;
  if (typeof $ref === 'string' && !$ref.startsWith('#')) return $ref.replace(/\p{Cc}/gu, '?').slice(0, 200);
  return firstOf(Object.values(value));
}

function firstOf(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const found = referenceToFile(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Unreadable(`${file} ${causeOf(error)}. Use the path of an OpenAPI file.`);
  }
}

function causeOf(error: unknown): string {
  switch (Reflect.get(Object(error), 'code')) {
    case 'ENOENT':
      return 'does not exist';
    case 'EISDIR':
      return 'is a folder';
    case 'EACCES':
      return 'is not readable by this user';
    default:
      return 'cannot be read';
  }
}

/** YAML includes JSON, but the YAML parser is slow for a large file. So the JSON parser comes first. */
function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parsedYaml(file, text);
  }
}

function parsedYaml(file: string, text: string): unknown {
  try {
    // An alias of YAML can make a record contain itself. The conversion to JSON then fails.
    return JSON.parse(JSON.stringify(parse(text, { logLevel: 'error' })));
  } catch (error) {
    const [reason] = String(Reflect.get(Object(error), 'message')).split('\n');
    throw new Unreadable(`${file} is neither JSON nor YAML (${reason}). Use an OpenAPI file.`);
  }
}
