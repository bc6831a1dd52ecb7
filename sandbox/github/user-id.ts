import { createHash } from 'node:crypto';

/** The id of the account with this login. It is the same in events and in answers. */
export function userIdOf(login: string): number {
  return createHash('sha256').update(login.toLowerCase()).digest().readUInt32BE(0) + 1;
}
