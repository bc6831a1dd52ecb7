import { createEnvironment, type Environment } from '../environment.ts';
import type { LocalChange } from './local-change.ts';

/** The fake service and the fake GitHub, with a change of a local repository. */
export function createDemoEnvironment({
  directory,
  repository,
  baseRef,
  baseSha,
  headSha,
}: LocalChange): Promise<Environment> {
  return createEnvironment({
    directory,
    repository,
    baseRef,
    headSha,
    service: { credits: 1000 },
    github: { branches: { [baseRef]: baseSha } },
  });
}
