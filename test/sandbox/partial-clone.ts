import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { GitFixture } from '../../sandbox/git-fixture.ts';

/** Runs git as the owner of a repository does: in a partial clone, git fetches missing objects. */
export function ownersGit(dir: string, ...args: string[]): string {
  return execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

/**
 * Creates a clone through the file protocol, with options such as `--filter=blob:none`. The clone is deleted after the
 * test.
 */
export async function partialClone(origin: GitFixture, ...options: string[]): Promise<string> {
  const settings = '[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n';
  await appendFile(path.join(origin.dir, '.git/config'), settings);
  const dir = await mkdtemp(path.join(tmpdir(), 'scangate-partial-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  ownersGit(dir, 'clone', '--quiet', ...options, `file://${origin.dir}`, '.');
  return dir;
}
