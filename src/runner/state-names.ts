/** The names under which `main` saves what it could not end. */
export const STATE_NAMES = { scan: 'running-scan', checkRun: 'open-check-run' } as const;

/**
 * Whether `main` left anything behind. Asks as the toolkit's `getState` does, but this module imports nothing, so
 * that `post` can look before it loads anything.
 */
export function isStateSaved(env: NodeJS.ProcessEnv): boolean {
  return Object.values(STATE_NAMES).some((name) => Boolean(env[`STATE_${name}`]));
}
