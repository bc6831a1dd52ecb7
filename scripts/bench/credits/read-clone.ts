import { execFileSync } from 'node:child_process';
import type { RecordedChange, RecordedHead, Snapshot } from './history.ts';

/** The subject that GitHub gives to the merge commit of a pull request. */
const MERGE = /^Merge pull request #\d+ /;
/**
 * A chosen limit, in seconds. Tools that commit leave less time than this between the author date and the commit date.
 */
const REWRITTEN_SECONDS = 60;

/**
 * Reads the pull requests that were merged last. Only commits are read, so a clone without trees and blobs is enough.
 * Squashed and rebased pull requests are left out, because their commits are not in the history.
 * @param directory of a clone, which is only read
 * @param tip the commit to start from
 * @returns oldest first; fewer than `most` if the history has no more
 * @throws if git fails
 */
export function readClone(directory: string, tip: string, most: number): readonly RecordedChange[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', directory, ...args], {
      encoding: 'utf8',
      maxBuffer: 1e9,
      stdio: 'pipe',
    }).trimEnd();
  const trees = new Map<string, string>();
  const snapshot = (sha: string): Snapshot => {
    const tree = trees.get(sha) ?? git('log', '-1', '--format=%T', sha);
    trees.set(sha, tree);
    return { sha, tree };
  };
  const merges = git('log', '--first-parent', '--min-parents=2', '--max-parents=2', '--format=%H %P %s', tip)
    .split('\n')
    .map((line) => /^(\S+) (\S+) (\S+) (.*)$/.exec(line) ?? [])
    .filter(([, , , , subject = '']) => MERGE.test(subject))
    .slice(0, most)
    .reverse();
  return merges.flatMap(([, merge = '', onto = '', last = '']) => {
    // The commits of the branch, without those that it merged from other branches.
    const commits = git('log', '--first-parent', '--reverse', '--format=%H %T %at %ct', last, `^${onto}`)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [sha = '', tree = '', authored, committed] = line.split(' ');
        return { sha, tree, authored: Number(authored), committed: Number(committed) };
      });
    const heads = commits.map(({ sha, tree, committed }, index): RecordedHead => {
      const before = commits[index - 1]?.committed ?? committed;
      const base = snapshot(git('merge-base', onto, sha).split('\n')[0] ?? '');
      return { head: { sha, tree }, base, minutes: Math.max(0, (committed - before) / 60) };
    });
    if (heads.length === 0) return [];
    const rewritten = commits.some(({ authored, committed }) => committed - authored > REWRITTEN_SECONDS);
    return [{ heads, rewritten, merge: { head: snapshot(merge), base: snapshot(onto) } }];
  });
}
