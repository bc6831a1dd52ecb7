import { type Stage, setStage } from '../stage.ts';
import type { LocalChange } from './local-change.ts';

/** The stand-ins of the service and of GitHub around a change on this machine. */
export function stageFor({ directory, repository, baseRef, baseSha, headSha }: LocalChange): Promise<Stage> {
  return setStage({
    directory,
    repository,
    baseRef,
    headSha,
    service: { credits: 1000 },
    github: { branches: { [baseRef]: baseSha } },
  });
}
