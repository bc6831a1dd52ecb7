/**
 * Returns a function that calls `ask` only once, and always returns the same promise. If `ask` fails, every caller that
 * awaits the promise sees the failure.
 */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined) {
      answer = ask();
      // If `ask` fails while no caller awaits the promise, this handler keeps Node from ending the process.
      answer.catch(() => {});
    }
    return answer;
  };
}
