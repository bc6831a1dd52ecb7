import { isObject, type JsonObject, objectAt } from '../json.ts';

/** What the fake service decides where the documentation is silent. No other OpenAPI document can confirm it. */
export interface AssumedRules {
  /** `GET /projects/{projectId}/scans`; undefined: every endpoint. */
  readonly endpoint: string | undefined;
  /** One sentence each. */
  readonly rules: readonly string[];
}

/** The rules that a document marks as assumed, in its order: first those for every endpoint. */
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
