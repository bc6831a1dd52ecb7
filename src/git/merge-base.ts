import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { isCommitId } from '../domain/target.ts';
import { type GitAnswer, gitEnvironment, REMOTE, runGit } from './git.ts';

/** The limit for all git commands together, in milliseconds. */
const GIT_LIMIT_MS = 30_000;

export interface MergeBaseQuestion {
  /** `https://github.com` or another GitHub server. Git uses http only if the address begins with `http:`. */
  readonly serverUrl: string;
  readonly owner: string;
  readonly repo: string;
  readonly token: string;
  readonly base:
    | { readonly kind: 'branch'; readonly name: string }
    | { readonly kind: 'commit'; readonly sha: string };
  readonly head: string;
  /** If the server does not send the head by its id, git fetches the ref of this pull request. */
  readonly pullRequest: number | undefined;
  /** The folder in which the scratch repository is created; default: the system's temporary folder. */
  readonly runnerTemp: string | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Why git found no merge base. `detail` is one line of foreign text. */
export interface MergeBaseFault {
  readonly kind: 'no-common-ancestor' | 'several' | 'unavailable';
  readonly detail: string;
}

const BASE_REF = 'refs/scangate/base';
const HEAD_REF = 'refs/scangate/head';

/**
 * Computes the merge base with git. Uses the whole commit graph, because `git merge-base` can return an older ancestor
 * in a shallow history.
 *
 * Fetches the commits into a scratch repository, and removes this repository afterwards. Does not read or write the
 * user's checkout.
 */
export async function mergeBaseByGit(question: MergeBaseQuestion): Promise<Result<string, MergeBaseFault>> {
  const { serverUrl, owner, repo, token, head, base, clock, signal } = question;
  const baseId = base.kind === 'commit' ? base.sha : head;
  if (!isCommitId(head) || !isCommitId(baseId)) return unavailable('base or head is not a full commit id');
  if (base.kind === 'branch' && !isRefName(base.name)) {
    return unavailable('the base branch name is not valid in git');
  }
  const url = `${serverUrl}/${owner}/${repo}`;
  const limit = new AbortController();
  const over = new AbortController();
  void clock.sleep(GIT_LIMIT_MS, over.signal).then(() => limit.abort());
  const running = AbortSignal.any([signal, limit.signal]);
  let scratch: string | undefined;
  try {
    scratch = await mkdtemp(join(question.runnerTemp ?? tmpdir(), 'scangate-git-'));
    const env = gitEnvironment(process.env, { url, token });
    const gitDir = scratch;
    const answer = await compute((args) => runGit(gitDir, args, { env, signal: running }), question);
    if (answer !== undefined) return answer;
    return unavailable(
      signal.aborted ? 'the job was stopped' : `git took longer than ${GIT_LIMIT_MS / 1000} seconds`,
    );
  } catch (error) {
    return unavailable(error instanceof Error ? oneLine(error.message, token) : 'git could not be started');
  } finally {
    over.abort();
    // If the folder cannot be removed, the scan continues. The runner deletes its temporary folder later.
    if (scratch !== undefined)
      await rm(scratch, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

type Git = (args: readonly string[]) => Promise<GitAnswer | undefined>;

/** Returns undefined if git was stopped. */
async function compute(
  git: Git,
  { base, head, pullRequest, token }: MergeBaseQuestion,
): Promise<Result<string, MergeBaseFault> | undefined> {
  const format = head.length === 64 ? ['--object-format=sha256'] : [];
  // The empty value means that git uses no template folder. Such a folder could contain hooks.
  const init = await git(['init', '--quiet', '--bare', '--template=', ...format]);
  if (init === undefined) return undefined;
  if (init.exitCode !== 0) return unavailable(oneLine(init.stderr, token));

  const baseSource = base.kind === 'branch' ? `refs/heads/${base.name}` : base.sha;
  let fetched = await fetchGraph(git, baseSource, head);
  if (fetched !== undefined && fetched.exitCode !== 0 && pullRequest !== undefined && isRefusedId(fetched)) {
    fetched = await fetchGraph(git, baseSource, `refs/pull/${pullRequest}/head`);
  }
  if (fetched === undefined) return undefined;
  if (fetched.exitCode !== 0) return unavailable(oneLine(fetched.stderr, token));

  const shown = await git(['rev-parse', '--verify', '--quiet', HEAD_REF]);
  if (shown === undefined) return undefined;
  if (shown.stdout.trim() !== head) return unavailable('the pull request has another head now');

  const answer = await git(['merge-base', '--all', BASE_REF, HEAD_REF]);
  if (answer === undefined) return undefined;
  // Exit code 1 without output means that there is no merge base. A process that was killed has no exit code.
  if (answer.exitCode === 1 && answer.stdout === '' && answer.stderr === '') {
    return err({ kind: 'no-common-ancestor', detail: 'base and head share no commit' });
  }
  if (answer.exitCode !== 0) return unavailable(oneLine(answer.stderr, token));
  const [mergeBase, ...others] = answer.stdout.split('\n').filter((line) => line !== '');
  if (others.length > 0) {
    return err({ kind: 'several', detail: `base and head have ${others.length + 1} merge bases` });
  }
  if (mergeBase === undefined || !isCommitId(mergeBase)) return unavailable('git returned no commit id');
  return ok(mergeBase);
}

/** Fetches base and head with all their ancestors. Leaves out trees and files if the server supports that. */
function fetchGraph(git: Git, base: string, head: string): Promise<GitAnswer | undefined> {
  const flags = [
    '--quiet',
    '--filter=tree:0',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
  ];
  const refs = [`+${base}:${BASE_REF}`, `+${head}:${HEAD_REF}`];
  return git(['fetch', ...flags, '--end-of-options', REMOTE, ...refs]);
}

function isRefusedId({ stderr }: GitAnswer): boolean {
  return /not our ref|unadvertised object/i.test(stderr);
}

/**
 * False for names with characters that `git check-ref-format` refuses. Such characters would change the meaning of a
 * refspec.
 */
function isRefName(name: string): boolean {
  return name !== '' && !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{/u.test(name);
}

function unavailable(detail: string): Result<never, MergeBaseFault> {
  return err({ kind: 'unavailable', detail: detail === '' ? 'git failed without a message' : detail });
}

/** Returns git's last error message as one line. Removes the token, which the server might repeat. */
function oneLine(stderr: string, token: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((each) => /^(?:fatal|error|remote):/.test(each)) ?? lines.at(-1) ?? '';
  const encoded = Buffer.from(`x-access-token:${token}`).toString('base64');
  const clean = token === '' ? line : line.replaceAll(token, '***').replaceAll(encoded, '***');
  return clean
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed();
}
