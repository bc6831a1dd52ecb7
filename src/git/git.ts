import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { devNull } from 'node:os';
import { getExecOutput } from '@actions/exec';

/** The variables by which administrators configure git's network. All other `GIT_` variables are removed. */
const KEPT = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_EXEC_PATH',
  'GIT_HTTP_PROXY_AUTHMETHOD',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
]);

/**
 * The address that git is given. Git replaces it by the address of the repository. It replaces an address only once, so
 * no other configuration (`url.<address>.insteadOf`) can lead git elsewhere.
 */
export const REMOTE = 'scangate:';

/** Git ends a transfer that makes no progress for this time. */
const STANDSTILL_SECONDS = 30;

/**
 * The environment of a git process that accesses one repository on one server. In this environment, git runs
 * no other program and never prompts. The token is in no argument and no file. Git sends it only to the
 * address of this repository.
 */
export function gitEnvironment(
  inherited: NodeJS.ProcessEnv,
  remote: { readonly url: string; readonly token: string },
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined) continue;
    // Drops variables such as `GIT_DIR`, which could point git to the user's checkout. Also drops the inputs and the
    // state of the job, because they contain secrets.
    const dropped = name.startsWith('GIT_') ? !KEPT.has(name) : /^(?:INPUT|STATE|ACTIONS)_/.test(name);
    if (!dropped) env[name] = value;
  }
  const credentials = Buffer.from(`x-access-token:${remote.token}`).toString('base64');
  const config: readonly (readonly [string, string])[] = [
    ['core.hooksPath', devNull],
    ['credential.helper', ''],
    ['fetch.recurseSubmodules', 'false'],
    ['fetch.writeCommitGraph', 'false'],
    ['gc.auto', '0'],
    // A setting for this address wins over a setting of the machine for its server.
    [`http.${remote.url}.followRedirects`, 'false'],
    [`http.${remote.url}.sslVerify`, 'true'],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', String(STANDSTILL_SECONDS)],
    ['maintenance.auto', 'false'],
    // The empty value removes the headers of other configurations. GitHub rejects a request with two authorization
    // headers.
    [`http.${remote.url}.extraheader`, ''],
    [`http.${remote.url}.extraheader`, `AUTHORIZATION: basic ${credentials}`],
    [`url.${remote.url}.insteadOf`, REMOTE],
  ];
  config.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return {
    ...env,
    GIT_CONFIG_COUNT: String(config.length),
    GIT_ALLOW_PROTOCOL: new URL(remote.url).protocol.slice(0, -1),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
}

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
