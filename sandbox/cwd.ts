import path from 'node:path';

/**
 * Resolves a path from the command line. The path is relative to the folder in which the user called npm. npm runs
 * scripts in the package's folder, and passes the user's folder in `INIT_CWD`.
 */
export function resolveFromCwd(given: string, variables: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(variables['INIT_CWD'] || process.cwd(), given);
}
