/** The clock of the server. It dates pull requests, check runs, comments and workflow runs. */
export interface ServerClock {
  now(): Date;
}

/** The clock of this machine. */
export const MACHINE_CLOCK: ServerClock = { now: () => new Date() };

/** Returns the time in whole seconds, as GitHub's API shows it. */
export function inSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
