import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Lang, parse, type SgNode } from '@ast-grep/napi';
import * as v from 'valibot';
import { parse as parseYaml } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '../..');

/** All paths here are relative to the root of the repository, and have slashes on every system. */
export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

export function exists(file: string): boolean {
  return existsSync(path.join(ROOT, file));
}

/** The files that match a pattern, sorted. */
export function filesIn(...patterns: readonly string[]): readonly string[] {
  return globSync([...patterns], { cwd: ROOT })
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

/** The commands of `npm run`. */
export const SCRIPTS: Readonly<Record<string, string>> = manifest.scripts;

/** Returns the file that `npm run` starts for a script. Undefined if the script is no file of this repository. */
export function fileOfScript(name: string): string | undefined {
  return /^node (?:--\S+ )*(\S+\.ts)/.exec(SCRIPTS[name] ?? '')?.[1];
}

const Input = v.strictObject({
  description: v.string(),
  required: v.optional(v.boolean()),
  default: v.optional(v.string()),
});
const Action = v.object({
  name: v.string(),
  description: v.pipe(v.string(), v.minLength(1)),
  inputs: v.record(v.string(), Input),
  outputs: v.record(v.string(), v.object({ description: v.string() })),
});
const Runs = { using: v.string(), main: v.string() };
const Gate = v.object({
  ...Action.entries,
  runs: v.strictObject({ ...Runs, post: v.string(), 'post-if': v.string() }),
});
/** A sub-action must not have a `post` step. */
const SubAction = v.object({ ...Action.entries, runs: v.strictObject(Runs) });

/** What each `action.yml` declares. The key is its folder, without `./`. */
export const ACTIONS = {
  '': v.parse(Gate, parseYaml(read('action.yml'))),
  doctor: v.parse(SubAction, parseYaml(read('doctor/action.yml'))),
  triage: v.parse(SubAction, parseYaml(read('triage/action.yml'))),
} as const;

/** The nodes of one kind in TypeScript, such as `string_fragment`. */
export function nodesIn(source: string, kind: string, regex = ''): readonly SgNode[] {
  return parse(Lang.TypeScript, source).root().findAll({ rule: { kind, regex } });
}
