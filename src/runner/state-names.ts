/** The names under which `main` saves what `post` has to finish. */
export const STATE_NAMES = { scan: 'running-scan', checkRun: 'open-check-run' } as const;

/**
 * True if `main` saved anything. Does the same as the toolkit's `getState`. But this module imports nothing, so that
 * `post` can check before it loads anything.
 */
export function isStateSaved(env: NodeJS.ProcessEnv): boolean {
  return Object.values(STATE_NAMES).some((name) => Boolean(env[`STATE_${name}`]));
}
