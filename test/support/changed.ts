/** The members that differ, by their dotted path. An empty path is the whole value. */
export type Changes = Readonly<Record<string, unknown>>;

/** A copy of a value of JSON with these changes. A member that becomes undefined is left out. */
export function changed(value: unknown, changes: Changes): unknown {
  // Unlike `structuredClone`, this does not keep an object shared that has two places in the value.
  const copy: unknown = JSON.parse(JSON.stringify(value));
  for (const [path, member] of Object.entries(changes)) {
    if (path === '') return member;
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const place = keys.reduce((at: unknown, key) => Reflect.get(Object(at), key), copy);
    Reflect.set(Object(place), last, member);
  }
  return copy;
}
