import { execFileSync } from 'node:child_process';
import type { RecordedChange, RecordedHead, Snapshot } from './shape.ts';

/** Matches the subject of GitHub's merge commit for a pull request. */
const MERGE = /^Merge pull request #\d+ /;
/** A commit counts as rewritten if its commit date is more than this many seconds after its author date. Our choice. */
const REWRITTEN_SECONDS = 60;

/**
 * Reads the pull requests that were merged last. Reads only commits, so a clone without trees and blobs is enough.
 * Leaves out squashed and rebased pull requests, because the history does not have their commits.
 * @param directory of a clone, which is only read
 * @param tip the commit to start from
 * @returns the oldest first; fewer than `most` if the history has no more
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
    // The commits of the branch itself. Commits that it merged from other branches are left out.
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
