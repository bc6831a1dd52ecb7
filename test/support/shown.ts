/** Longer lists are shown by their first and their last item. */
const LONGEST_LIST = 4;
const LONGEST_TEXT = 120;

/** Shows a value in one line, as a golden file has it: JSON without the quotes of names. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value, shortened) ?? 'undefined';
  return json.replace(/"(\w+)":/g, '$1: ').replace(/,(?! )/g, ', ');
}

function shortened(_name: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (Array.isArray(value) && value.length > LONGEST_LIST) {
    return [value[0], `… ${value.length} items …`, value.at(-1)];
  }
  if (typeof value === 'string' && value.length > LONGEST_TEXT) {
    return `${value.slice(0, LONGEST_TEXT)}… ${value.length} characters`;
  }
  return value;
}

/** Shows the members of `after` that differ from those of `before`, each by its dotted path. */
export function changes(before: unknown, after: unknown, path = ''): string[] {
  const [one, other] = [membersOf(before), membersOf(after)];
  if (one === undefined || other === undefined) {
    const [from, to] = [shown(before), shown(after)];
    return from === to ? [] : [`${path}: ${to}`];
  }
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) =>
    changes(one.get(name), other.get(name), path === '' ? name : `${path}.${name}`),
  );
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  const isRecord =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  return isRecord ? new Map(Object.entries(value)) : undefined;
}
