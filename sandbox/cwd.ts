import path from 'node:path';

/**
 * Resolves a path on the command line. npm runs scripts in the package's folder, so the path is relative to the
 * caller's folder, which npm passes in `INIT_CWD`.
 */
export function resolveFromCwd(given: string, variables: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(variables['INIT_CWD'] || process.cwd(), given);
}
