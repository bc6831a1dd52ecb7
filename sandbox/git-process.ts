import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** The result of a git process. `stdout` is bytes, because not every path and blob is UTF-8. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * The environment of a git process. It leaves out all inherited `GIT_*` variables, and the configuration of the user
 * and the machine. So git works the same on every machine. Git asks the user nothing. In a partial clone, git fetches
 * no missing objects, so that it only reads the repository.
 */
export function gitEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
    ...extra,
  };
}

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

const USES_NETWORK: ReadonlySet<string> = new Set(['clone', 'fetch', 'ls-remote']);

/** Git before 2.45 ignores GIT_NO_LAZY_FETCH, but cannot fetch if no protocol is allowed. */
function offline(args: readonly string[]): NodeJS.ProcessEnv {
  return args.some((arg) => USES_NETWORK.has(arg)) ? {} : { GIT_ALLOW_PROTOCOL: '' };
}

/** Answers of git commands in repositories that no longer change. */
const unchanging = new Map<string, Map<string, Promise<GitAnswer>>>();

/** Declares that the repository no longer changes. Each git command is then run only once. */
export function rememberGit(dir: string): void {
  if (!unchanging.has(dir)) unchanging.set(dir, new Map());
}

/** True if `rememberGit` was called for the repository. */
export function remembersGit(dir: string): boolean {
  return unchanging.has(dir);
}

/** Runs git in `dir` until it ends. Returns the answer even if git fails. Throws only if git cannot be started. */
export function runGit(dir: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const known = unchanging.get(dir);
  if (known === undefined) return spawnGit(dir, args, options);
  const { input = '', env } = options;
  const question = JSON.stringify([args, Buffer.from(input).toString('base64'), env]);
  const answer = known.get(question) ?? spawnGit(dir, args, options);
  known.set(question, answer);
  return answer;
}

function spawnGit(dir: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['-C', dir, ...args], {
      env: gitEnvironment({ ...offline(args), ...options.env }),
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? 1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') });
    });
    // Git may end before it has read all input. The pipe then reports an error. It is ignored, because the exit code
    // says what happened.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input);
  });
}

/** Git failed. The message contains the message of git. */
export class GitError extends Error {}

/** Runs git like `runGit`, but throws `GitError` if git fails. */
export async function git(dir: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const answer = await runGit(dir, args, options);
  if (answer.code !== 0)
    throw new GitError(`git ${args[0]} ended with ${answer.code}: ${answer.stderr.trim()}`);
  return answer.stdout;
}
