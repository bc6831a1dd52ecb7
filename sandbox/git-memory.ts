/** What git says of full commit ids never changes, so that it need be asked only once for each. */
export interface GitMemory<T> {
  /** Asks unless an answer is known; undefined and failures are not kept, since what is missing may still come. */
  recall(dir: string, ids: readonly string[], ask: () => Promise<T | undefined>): Promise<T | undefined>;
}

export function createGitMemory<T>(): GitMemory<T> {
  const known = new Map<string, T>();
  return {
    async recall(dir, ids, ask) {
      const key = JSON.stringify([dir, ...ids]);
      const before = known.get(key);
      if (before !== undefined) return before;
      const answer = await ask();
      if (answer !== undefined && ids.every(isFullId)) known.set(key, answer);
      return answer;
    },
  };
}

function isFullId(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}
