import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

export type StepDirectories = ReturnType<typeof prepareStepDirectories>;

/**
 * Prepares the folders of a step. Creates them inside `own`. A workspace or a temporary folder in `given` must exist,
 * and is used as it is.
 */
export function prepareStepDirectories(
  own: string,
  given: { readonly workspace?: string | undefined; readonly temp?: string | undefined },
) {
  const made = (path: string) => {
    mkdirSync(path, { recursive: true });
    return path;
  };
  return {
    workspace: given.workspace ?? made(join(own, 'work')),
    temp: given.temp ?? made(join(own, 'temp')),
    home: made(join(own, 'home')),
    eventPath: join(made(join(own, 'workflow')), 'event.json'),
  };
}
