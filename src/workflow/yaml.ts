import { defineMappingTag, FAILSAFE_SCHEMA, load, realMapTag } from 'js-yaml';

/** A value in a YAML file. A scalar is a string, whatever its YAML type is. A missing value is an empty string. */
export type Yaml = string | readonly Yaml[] | ReadonlyMap<string, Yaml>;

/** Matches control characters, and characters that only some YAML readers take for a line end. */
const UNCLEAR = /[\u2028\u2029]|\r(?!\n)|(?![\t\r\n])\p{Cc}/u;

/** Reads every scalar as a text. GitHub refuses merge keys, and keys that are not scalars. */
const SCHEMA = FAILSAFE_SCHEMA.withTags(
  defineMappingTag('tag:yaml.org,2002:map', {
    ...realMapTag,
    addPair: (map, key, value) =>
      typeof key === 'string' && key !== '<<' ? realMapTag.addPair(map, key, value) : 'unsupported key',
  }),
);

/** Reads a workflow file. Undefined if it is not valid YAML, or if GitHub can read it in another way. */
export function readYaml(text: string): Yaml | undefined {
  if (UNCLEAR.test(text)) return undefined;
  try {
    // The schema makes no other values than these.
    return load(text, { schema: SCHEMA }) as Yaml;
  } catch {
    return undefined;
  }
}
