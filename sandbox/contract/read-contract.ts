import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { isObject, type JsonObject } from '../json.ts';

/** The file that defines the contract. It is written by hand. */
export const CONTRACT_FILE = path.join(import.meta.dirname, 'openapi.yaml');

let known: JsonObject | undefined;

/**
 * Reads the service's contract, an OpenAPI 3.1 document. Reads the file only once. Throws if the file contains no
 * object.
 */
export function readContract(): JsonObject {
  if (known === undefined) {
    const document: unknown = parse(readFileSync(CONTRACT_FILE, 'utf8'));
    if (!isObject(document)) throw new Error(`${CONTRACT_FILE} is no OpenAPI document`);
    known = document;
  }
  return known;
}
