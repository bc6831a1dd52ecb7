/** Shorter segments are too short to stand for a longer one. */
const SHORTEST_ABBREVIATION = 3;

/** How alike two names are, 0..1: by the segments that they share, or by their letters. */
export function similarity(one: string, other: string): number {
  return Math.max(sharedSegments(segmentsOf(one), segmentsOf(other)), sameLetters(one, other));
}

/** `baseCommitId`, `base_commit_id` and `BASE-COMMIT.ID` have the same three segments. */
function segmentsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** Twice the shared segments, of all segments of both; an abbreviation counts as its word. */
function sharedSegments(one: readonly string[], other: readonly string[]): number {
  const isSame = (a: string, b: string) =>
    a === b ||
    (Math.min(a.length, b.length) >= SHORTEST_ABBREVIATION && (a.startsWith(b) || b.startsWith(a)));
  const shared = one.filter((word) => other.some((another) => isSame(word, another))).length;
  const all = one.length + other.length;
  return all === 0 ? 0 : Math.min(1, (2 * shared) / all);
}

function sameLetters(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : 1 - editDistance(a, b) / longest;
}

/** Letters to insert, drop or change. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [place, another] of [...other].entries()) {
      const change = (row[place] ?? 0) + (letter === another ? 0 : 1);
      next.push(Math.min(change, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
