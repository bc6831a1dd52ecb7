/**
 * Stands where the toolkit has something that nothing here calls. It refuses to be called or constructed, and so does
 * every member of it but those in use.
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
