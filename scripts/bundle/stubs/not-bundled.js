/**
 * Replaces something that the toolkit imports but our code never calls. It throws if it is called or constructed, and
 * so does every member of it except those in use.
 * @param {string} name
 * @param {object} [inUse]
 * @returns {() => void}
 */
export function notBundled(name, inUse = {}) {
  function refuse() {
    throw new Error(`Not bundled: ${name}`);
  }
  return new Proxy(Object.assign(refuse, inUse), {
    get: (target, member) =>
      typeof member === 'symbol' || member in target
        ? Reflect.get(target, member)
        : notBundled(`${name}.${member}`),
  });
}
