/**
 * Reads the pairs in a file such as `GITHUB_OUTPUT`, `GITHUB_STATE` or `GITHUB_ENV`. A pair is a line `name=value`, or
 * a heredoc of several lines. Yields the pairs in order. If a line or a heredoc is invalid, throws an error with the
 * message of GitHub's runner.
 */
export function* environmentPairs(text: string): Generator<readonly [name: string, value: string]> {
  let at = 0;
  /**
   * Returns the next line without its line feed. `ended` is true if the line had a line feed. Undefined at the end of
   * the file.
   */
  const readLine = (): { readonly line: string; readonly ended: boolean } | undefined => {
    if (at >= text.length) return undefined;
    const start = at;
    const feed = text.indexOf('\n', start);
    at = feed < 0 ? text.length : feed + 1;
    return { line: text.slice(start, feed < 0 ? text.length : feed), ended: feed >= 0 };
  };

  for (let read = readLine(); read !== undefined; read = readLine()) {
    const { line } = read;
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      yield [line.slice(0, equals), line.slice(equals + 1)];
    } else if (heredoc >= 0) {
      const name = line.slice(0, heredoc);
      const delimiter = line.slice(heredoc + 2);
      if (name === '' || delimiter === '') {
        throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`);
      }
      const start = at;
      let end = at;
      for (let inner = readLine(); inner?.line !== delimiter; inner = readLine()) {
        if (inner === undefined)
          throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
        if (!inner.ended) throw new Error('Invalid value. EOF marker missing new line.');
        end = at - 1;
      }
      yield [name, text.slice(start, end)];
    } else {
      throw new Error(`Invalid format '${line}'`);
    }
  }
}
