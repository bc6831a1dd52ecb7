/**
 * Replaces a function or class that the toolkit imports, but that our code never calls. Calling it throws, and so does
 * calling one of its members.
 * @param {string} name for the message of the error
 * @param {object} [inUse] the members that the toolkit uses
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
