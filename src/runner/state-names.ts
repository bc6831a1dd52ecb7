/** The names under which `main` saves the scan and the check run that `post` has to end. */
export const STATE_NAMES = { scan: 'running-scan', checkRun: 'open-check-run' } as const;

/**
 * True if `main` saved any state. Reads the same variables as the toolkit's `getState`, without importing it, so that
 * `post` can check for state before it loads other modules.
 */
export function isStateSaved(env: NodeJS.ProcessEnv): boolean {
  return Object.values(STATE_NAMES).some((name) => Boolean(env[`STATE_${name}`]));
}
