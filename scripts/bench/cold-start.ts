import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The exit code with which each entry ends right after its start. */
const EXIT_CODES = { main: 1, post: 0 } as const;

/**
 * Measures starts of an entry and of `node -e 0` in turn, so that other work of the machine affects both equally. `main`
 * gets an unsupported event: it loads everything, reads the inputs and the event, and sends no request. `post` gets
 * nothing to clean up. Throws if the script does not end as expected.
 * @returns the median of the ratios. Each round has one ratio: the processor time of the script, divided by that of
 * `node -e 0`
 */
export function startRatio(entry: keyof typeof EXIT_CODES, script: string, rounds: number): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-cold-start-'));
  try {
    const env = environmentIn(folder);
    // The first start is not measured, because it reads the files from the disk.
    const { status } = spawnSync(process.execPath, [script], { env, stdio: 'ignore' });
    if (status !== EXIT_CODES[entry]) throw new Error(`${script} ended with ${status}, not after its start`);
    if (entry === 'main' && !readFileSync(env.GITHUB_OUTPUT, 'utf8').includes('unsupported-event'))
      throw new Error('main did not refuse the event');
    const bare = () => cpuOfNode(['-e', '0'], {});
    return median(Array.from({ length: rounds }, () => cpuOfNode([script], env) / bare()));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a runner provides. Its files are in this folder. */
function environmentIn(folder: string) {
  const file = (name: string, content = '') => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  return {
    HOME: folder,
    RUNNER_TEMP: folder,
    GITHUB_WORKSPACE: folder,
    GITHUB_EVENT_NAME: 'workflow_run',
    GITHUB_EVENT_PATH: file('event.json', '{}'),
    GITHUB_REPOSITORY: 'octo-org/octo-repo',
    GITHUB_OUTPUT: file('output'),
    GITHUB_STATE: file('state'),
    GITHUB_STEP_SUMMARY: file('summary'),
    'INPUT_BASE-URL': 'http://127.0.0.1:9/api/v1',
    'INPUT_API-TOKEN': 'bench_proj_key_secret',
    'INPUT_GITHUB-TOKEN': 'bench',
  };
}

/** Runs a process. @returns the processor time of the whole process in milliseconds; works only on Linux and macOS */
function cpuOfNode(args: readonly string[], env: Readonly<Record<string, string>>): number {
  const script = `TIMEFORMAT='%3U %3S'; time "$0" "$@" > /dev/null 2>&1`;
  const { stderr } = spawnSync('/bin/bash', ['--norc', '-c', script, process.execPath, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  if (!(user + system > 0)) throw new Error(`bash did not say what the process cost: ${stderr}`);
  return (user + system) * 1000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
