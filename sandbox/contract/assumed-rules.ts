import { isObject, type JsonObject, objectAt } from '../json.ts';

/**
 * The documentation does not state these rules, but the fake service follows them. The OpenAPI document of a real
 * service cannot confirm them.
 */
export interface AssumedRules {
  /** For example `GET /projects/{projectId}/scans`. Undefined if the rules apply to every endpoint. */
  readonly endpoint: string | undefined;
  /** Each rule is one sentence. */
  readonly rules: readonly string[];
}

/**
 * Reads the rules that a document marks as assumed. The rules for every endpoint come first. The rules for single
 * endpoints keep the order of the document.
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
