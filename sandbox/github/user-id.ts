import { createHash } from 'node:crypto';

/** Returns the id of the account with this login. Events and answers use the same id. */
export function userIdOf(login: string): number {
  return createHash('sha256').update(login.toLowerCase()).digest().readUInt32BE(0) + 1;
}
