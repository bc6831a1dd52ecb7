/**
 * Reads the `owner/name` in an address such as `git@host:owner/name.git` or `https://host/owner/name`. Undefined for a
 * path on this machine.
 */
export function ownerNameOf(address: string | undefined): string | undefined {
  const [, owner, name] =
    /^(?:[\w.-]+@[\w.-]+:|(?:https?|ssh|git):\/\/[^/]+\/)([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(
      address ?? '',
    ) ?? [];
  return owner === undefined || name === undefined ? undefined : `${owner}/${name}`;
}
