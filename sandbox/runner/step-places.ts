import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { StepPlaces } from './job.ts';

/** Makes the directories of a step below `own`; those that are given exist already. */
export async function prepareStepPlaces(
  own: string,
  given: {
    readonly actionDirectory: string;
    readonly workspace?: string | undefined;
    readonly temp?: string | undefined;
  },
): Promise<StepPlaces> {
  const made = async (path: string) => {
    await mkdir(path, { recursive: true });
    return path;
  };
  return {
    workspace: given.workspace ?? (await made(join(own, 'work'))),
    temp: given.temp ?? (await made(join(own, 'temp'))),
    toolCache: await made(join(own, 'tools')),
    home: await made(join(own, 'home')),
    eventPath: join(await made(join(own, 'workflow')), 'event.json'),
    actionPath: resolve(given.actionDirectory),
  };
}
