import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject, type JsonObject } from '../../sandbox/json.ts';

/** The file cannot be read, or cannot be compared. The message states the problem. */
export class Unreadable extends Error {}

/** Reads an OpenAPI 3.0 or 3.1 document in JSON or YAML. Throws `Unreadable`. */
export function readDocument(file: string): JsonObject {
  const document = parsed(file, textOf(file));
  if (!isObject(document)) throw new Unreadable(`${file} holds no object: give an OpenAPI file.`);
  const { openapi, swagger, paths } = document;
  if (typeof swagger === 'string') {
    throw new Unreadable(`${file} is of Swagger ${swagger}: convert it to OpenAPI 3 first.`);
  }
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi)) {
    throw new Unreadable(`${file} is no OpenAPI 3.0 or 3.1 file: its member openapi says no such version.`);
  }
  if (!isObject(paths)) throw new Unreadable(`${file} has no paths: give a whole OpenAPI file.`);
  const elsewhere = referenceToFile(document);
  if (elsewhere !== undefined) {
    throw new Unreadable(
      `${file} refers to another file, ${elsewhere}: put all in one first, such as with \`npx @redocly/cli bundle\`.`,
    );
  }
  return document;
}

/** Finds a reference to another file, whose content could not be compared. */
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
    throw new Unreadable(`${file} ${causeOf(error)}: give the path of an OpenAPI file.`);
  }
}

function causeOf(error: unknown): string {
  switch (Reflect.get(Object(error), 'code')) {
    case 'ENOENT':
      return 'is not there';
    case 'EISDIR':
      return 'is a folder';
    case 'EACCES':
      return 'may not be read by you';
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
    throw new Unreadable(`${file} is neither JSON nor YAML (${reason}).`);
  }
}
