import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileOfScript } from '../project/code.ts';

/** The folder in which the scripts run. It is outside of the checkout. */
export const ELSEWHERE = realpathSync(tmpdir());

/** What a script printed, and how it ended. */
export interface ScriptResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs scripts of package.json in turn, in one process.
 * @param commands the name of each script, and its arguments
 */
export function runScripts(
  ...commands: readonly (readonly [name: string, ...args: string[]])[]
): readonly ScriptResult[] {
  const files = commands.map(([name, ...args]) => [path.resolve(fileOfScript(name) ?? ''), ...args]);
  const { INIT_CWD: _, ...env } = process.env;
  const inTurn = path.join(import.meta.dirname, 'in-turn.ts');
  const { stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', inTurn], {
    cwd: ELSEWHERE,
    env,
    input: JSON.stringify(files),
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}
