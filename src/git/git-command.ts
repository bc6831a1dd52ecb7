import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getExecOutput } from '@actions/exec';

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How long pipes may stay open after git has ended, in milliseconds. */
const PIPE_DELAY_MS = 1000;

/**
 * Runs git on the repository at `gitDir`. Prints nothing. Returns undefined if `signal` stopped git. Throws if git
 * cannot be started.
 */
export async function runGit(
  gitDir: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<GitAnswer | undefined> {
  const { env, signal } = options;
  if (signal.aborted) return undefined;
  const gitDirArgument = `--git-dir=${gitDir}`;
  // If the signal aborts, the process has to be killed, but `getExecOutput` does not return it. Node publishes an event
  // for every child process, and the event contains the process.
  let child: ChildProcess | undefined;
  const announced = (message: unknown) => {
    const started = startedProcess(message);
    if (started === undefined) return;
    // The process gets its arguments only after the event.
    queueMicrotask(() => {
      if (!started.spawnargs?.includes(gitDirArgument)) return;
      child = started;
      if (signal.aborted) end(child);
    });
  };
  const stop = () => end(child);
  subscribe('child_process', announced);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const answer = await getExecOutput('git', [gitDirArgument, ...args], {
      silent: true,
      ignoreReturnCode: true,
      cwd: gitDir,
      env: { ...env },
      delay: PIPE_DELAY_MS,
    });
    return signal.aborted ? undefined : answer;
  } finally {
    unsubscribe('child_process', announced);
    signal.removeEventListener('abort', stop);
  }
}

function startedProcess(message: unknown): ChildProcess | undefined {
  if (typeof message !== 'object' || message === null || !('process' in message)) return undefined;
  return message.process instanceof ChildProcess ? message.process : undefined;
}

/**
 * Kills git. Also closes our pipes, because git's helper for https can keep them open after git has ended.
 */
function end(child: ChildProcess | undefined): void {
  child?.kill('SIGKILL');
  child?.stdout?.destroy();
  child?.stderr?.destroy();
}
