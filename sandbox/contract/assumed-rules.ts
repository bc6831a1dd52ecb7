import { isObject, type JsonObject, objectAt } from '../json.ts';

/**
 * Rules that the fake service follows although the documentation does not state them. The OpenAPI document of a real
 * service cannot confirm such rules.
 */
export interface AssumedRules {
  /** For example `GET /projects/{projectId}/scans`. Undefined if the rules apply to every endpoint. */
  readonly endpoint: string | undefined;
  /** Each rule is one sentence. */
  readonly rules: readonly string[];
}

/**
 * Reads the rules that a document marks as assumed, in the order of the document. The rules that apply to every
 * endpoint come first.
 */
export function assumedRules(document: JsonObject): AssumedRules[] {
  const ofEndpoints = Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).map(([method, operation]) => ({
      endpoint: `${method.toUpperCase()} ${path}`,
      rules: rulesOf(operation),
    })),
  );
  const all = [{ endpoint: undefined, rules: rulesOf(document) }, ...ofEndpoints];
  return all.filter(({ rules }) => rules.length > 0);
}

function rulesOf(holder: unknown): string[] {
  const rules = isObject(holder) ? holder['x-assumed-rules'] : undefined;
  return Array.isArray(rules) ? rules.map(String) : [];
}
