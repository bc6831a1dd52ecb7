import path from 'node:path';

/**
 * A path that a person wrote on the command line, from the folder where they stand: npm runs scripts in the folder of
 * the package and says in `INIT_CWD` where it was called.
 */
export function fromHere(given: string, variables: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(variables['INIT_CWD'] || process.cwd(), given);
}
