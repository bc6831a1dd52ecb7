import path from 'node:path';

/**
 * Resolves a path of the command line against the caller's folder. npm runs scripts in the package's folder, and passes
 * the caller's folder in `INIT_CWD`.
 */
export function resolveFromCwd(given: string, variables: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(variables['INIT_CWD'] || process.cwd(), given);
}
