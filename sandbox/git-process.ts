import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** What a git process answered. `stdout` is raw: paths and blobs need not be UTF-8. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The same git everywhere: no configuration of the user or the machine, no prompt, no inherited repository. */
export function gitEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    ...extra,
  };
}

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

/** Of the repositories that stay as they are: each question with its answer. */
const unchanging = new Map<string, Map<string, Promise<GitAnswer>>>();

/** Promises that nothing in the repository changes any more, so that git is asked each thing only once. */
export function rememberGit(dir: string): void {
  if (!unchanging.has(dir)) unchanging.set(dir, new Map());
}

/** Runs git in `dir` and waits for its end. A code other than 0 is an answer; only a git that cannot start throws. */
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
    const child = spawn('git', ['-C', dir, ...args], { env: gitEnvironment(options.env) });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? 1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') });
    });
    // A git that ends before it has read everything answers by its code, not by a broken pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input);
  });
}

/** As `runGit`, for calls that must succeed: throws with git's own words when they do not. */
export async function git(dir: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const answer = await runGit(dir, args, options);
  if (answer.code !== 0) throw new Error(`git ${args[0]} ended with ${answer.code}: ${answer.stderr.trim()}`);
  return answer.stdout;
}
