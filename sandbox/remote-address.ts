/**
 * Reads `git@host:owner/name.git`, `https://host/owner/name` and the like. Returns undefined for a path on this
 * machine.
 */
export function ownerNameOf(address: string | undefined): string | undefined {
  const [, owner, name] =
    /^(?:[\w.-]+@[\w.-]+:|(?:https?|ssh|git):\/\/[^/]+\/)([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(
      address ?? '',
    ) ?? [];
  return owner === undefined || name === undefined ? undefined : `${owner}/${name}`;
}
