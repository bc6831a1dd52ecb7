import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject, objectAt, textAt } from '../json.ts';

/** What the runner reads from an `action.yml`. */
export type ActionManifest = Awaited<ReturnType<typeof readActionManifest>>;
export type ActionInput = ReturnType<typeof toInput>;

/** Reads `action.yml`. Throws if it does not exist, or if the action is not a JavaScript action. */
export async function readActionManifest(directory: string) {
  const manifest: unknown = parse(await readFile(join(directory, 'action.yml'), 'utf8'));
  if (!isObject(manifest)) throw new Error(`the manifest in ${directory} is no mapping`);
  const runs = objectAt(manifest, 'runs');
  const using = textAt(runs, 'using') ?? '';
  const main = textAt(runs, 'main');
  if (!/^node\d+$/.test(using) || main === undefined) {
    throw new Error(`the action in ${directory} is no JavaScript action: runs.using is '${using}'`);
  }
  return {
    name: textAt(manifest, 'name') ?? '',
    inputs: Object.entries(objectAt(manifest, 'inputs')).map(([name, value]) => toInput(name, value)),
    outputs: Object.keys(objectAt(manifest, 'outputs')),
    /** For example `node24`. */
    using,
    main,
    post: textAt(runs, 'post'),
  };
}

function toInput(name: string, value: unknown) {
  const input = isObject(value) ? value : {};
  const given = input['default'];
  return {
    name,
    description: textAt(input, 'description') ?? '',
    /**
     * The text of the default. Its expressions are not evaluated yet. Empty if there is no default. All inputs are text
     * for the action, even a default such as `true` or `60`.
     */
    default: given === undefined || given === null ? '' : String(given),
  };
}
