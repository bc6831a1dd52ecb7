/** The names under which `main` saves the scan and the check run that `post` has to end. */
export const STATE_NAMES = { scan: 'running-scan', checkRun: 'open-check-run' } as const;

/**
 * True if `main` saved any state. Reads the same variables as the toolkit's `getState`. Does not import the toolkit, so
 * that `post` can call this function before it loads other modules.
 */
export function isStateSaved(env: NodeJS.ProcessEnv): boolean {
  return Object.values(STATE_NAMES).some((name) => Boolean(env[`STATE_${name}`]));
}
