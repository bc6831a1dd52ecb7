/**
 * Caches git's answers about full object ids. Such answers never change.
 * @param most the number of answers to keep. The oldest answers are dropped first. The limit saves memory in a server
 * that runs for days
 */
export function createGitCache<T>(most = 1_000) {
  const known = new Map<string, Promise<T | undefined>>();
  return {
    /**
     * Returns the cached answer, or calls `ask`. `question` names the repository, and what is asked about the ids.
     *
     * Failures and undefined are not cached, because a missing object may arrive later. If an id is not a full id,
     * nothing is cached.
     */
    recall(question: string, ids: readonly string[], ask: () => Promise<T | undefined>) {
      if (!ids.every(isFullId)) return ask();
      const key = JSON.stringify([question, ...ids]);
      const before = known.get(key);
      if (before !== undefined) return before;
      const answer = ask();
      known.set(key, answer);
      const [oldest = key] = known.keys();
      if (known.size > most) known.delete(oldest);
      const forget = () => known.delete(key);
      answer.then((value) => value === undefined && forget(), forget);
      return answer;
    },
  };
}

export function isFullId(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}
