import { isObject, type JsonObject, textAt } from '../json.ts';
import { type ContractOperation, operationsOf } from './operations.ts';
import { plainSchema } from './plain-schema.ts';

/** The most members and lists of one body that the search for names visits. Our choice. Our bodies have far fewer. */
const MOST_RECORDS = 5000;

/** The path segment for the items of a list. */
export const ITEMS = '[]';

/** One name in a document: a member of a body, or a value from the enum of a member. */
export interface Name {
  /** The method and the path: `GET /projects/{projectId}/scans` */
  readonly endpoint: string;
  /** `request`, or `answer` and the status: `answer 200`. */
  readonly side: string;
  /** The path to the member: the names of the outer members, then its own name. */
  readonly at: readonly string[];
  /** The enum value. Undefined if this is the name of a member. */
  readonly word: string | undefined;
  /** The JSON types of the member, without `null`. Empty if the schema does not restrict the type. */
  readonly types: readonly string[];
  /** Why the name is assumed. Undefined if the contract documents it. */
  readonly assumed: string | undefined;
}

/**
 * Returns all names in the JSON bodies of a document, in the order of the document. In each body, outer members come
 * before inner members. Bodies of failures are left out, because all failures have the same form.
 * @param operations the operations to read. Default: all operations of the document
 */
export function namesOf(
  document: JsonObject,
  operations: readonly ContractOperation[] = operationsOf(document),
): Name[] {
  return operations.flatMap(({ method, path, body, answers }) => {
    const endpoint = `${method} ${path}`;
    const bodies: [side: string, schema: unknown][] = [...answers]
      .filter(([status]) => /^2/.test(status))
      .map(([status, { schema }]) => [`answer ${status}`, schema]);
    if (body !== undefined) bodies.unshift(['request', body.schema]);
    return bodies.flatMap(([side, schema]) =>
      namesIn(document, schema).map((name) => ({ endpoint, side, ...name })),
    );
  });
}

type Inner = Omit<Name, 'endpoint' | 'side'>;

/**
 * A schema in a body. `at` has the members that lead to the schema, and `references` has the references that lead to
 * it. The search follows no reference twice on this path. So it ends even if a schema contains itself.
 */
interface Place {
  readonly schema: unknown;
  readonly at: readonly string[];
  readonly references: ReadonlySet<string>;
}

function namesIn(document: JsonObject, body: unknown): Inner[] {
  const names: Inner[] = [];
  const places: Place[] = [{ schema: body, at: [], references: new Set() }];
  for (const [index, { schema, at, references }] of places.entries()) {
    if (index === MOST_RECORDS) break;
    const here = referencesOf(schema);
    if (here.some((one) => references.has(one))) continue;
    const trail = new Set([...references, ...here]);
    for (const { properties, items } of alternativesOf(document, schema)) {
      for (const [member, inner] of Object.entries(isObject(properties) ? properties : {})) {
        const place = { schema: inner, at: [...at, member], references: trail };
        names.push(...namesOfMember(document, place));
        places.push(place);
      }
      if (items !== undefined) places.push({ schema: items, at: [...at, ITEMS], references: trail });
    }
  }
  return names;
}

/** Returns the name of the member, then a name for each value of its enum. */
function namesOfMember(document: JsonObject, { schema, at }: Place): Inner[] {
  const alternatives = alternativesOf(document, schema);
  const [own = {}] = alternatives;
  const types = [...new Set(alternatives.flatMap(typesOf))];
  const values = alternatives.flatMap((one) =>
    enumOf(one).map((word) => ({ at, word, types: ['string'], assumed: reasonOf(one) })),
  );
  return [{ at, word: undefined, types, assumed: reasonOf(own) }, ...values];
}

function referencesOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { $ref, allOf, anyOf, oneOf } = schema;
  const subschemas = [allOf, anyOf, oneOf].filter((list) => Array.isArray(list)).flat();
  return [...(typeof $ref === 'string' ? [$ref] : []), ...subschemas.flatMap(referencesOf)];
}

/** Returns a schema without its `anyOf` and `oneOf`, then each schema in these two lists. */
function alternativesOf(document: JsonObject, schema: unknown): JsonObject[] {
  const { anyOf, oneOf, ...own } = plainSchema(document, schema);
  const lists = [anyOf, oneOf].filter((list) => Array.isArray(list)).flat();
  return [own, ...lists.map((one) => plainSchema(document, one))];
}

function enumOf(schema: JsonObject): string[] {
  const { enum: listed, const: only } = schema;
  return [...(Array.isArray(listed) ? listed : []), only].filter((word) => typeof word === 'string');
}

function typesOf(schema: JsonObject): string[] {
  const { type, enum: listed, const: only, properties, items } = schema;
  const said = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  if (said.length > 0) return said.filter((one) => one !== 'null');
  if (isObject(properties)) return ['object'];
  if (items !== undefined) return ['array'];
  const values = [...(Array.isArray(listed) ? listed : []), only].filter((one) => one != null);
  return [...new Set(values.map((one) => typeof one))];
}

function reasonOf(schema: JsonObject): string | undefined {
  return schema['x-assumed'] === true ? (textAt(schema, 'x-assumed-reason') ?? '') : undefined;
}
