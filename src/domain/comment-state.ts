/** The data in a hidden line of our comment. Later runs read it. */
export interface CommentState {
  /** Identifies the scan that the comment reports. */
  readonly mark: string | undefined;
  /** The findings of the last two scanned heads. */
  readonly history: string | undefined;
  /** The published page of the scan that the comment reports. */
  readonly publication: string | undefined;
  /** Names an attempt of a workflow run. No job of this attempt may launch a scan. */
  readonly freeRerun?: string | undefined;
}

const HISTORY = 'h1:';
const PUBLICATION = 'p1:';
const FREE_RERUN = 'f1:';

/** Joins the entries with `;`. Returns undefined if there are none. */
export function joinState({ mark, history, publication, freeRerun }: CommentState): string | undefined {
  const entries = [mark, history, publication, freeRerun].filter((word) => word !== undefined);
  return entries.length === 0 ? undefined : entries.join(';');
}

/**
 * Splits the state into its entries. Does not check their signatures. Users who may edit the comment can change an
 * entry.
 */
export function splitState(state: string | undefined): CommentState {
  const entries = state?.split(';') ?? [];
  const named = (prefix: string) => entries.find((word) => word.startsWith(prefix));
  return {
    mark: entries.find(
      (word) => ![HISTORY, PUBLICATION, FREE_RERUN].some((prefix) => word.startsWith(prefix)),
    ),
    history: named(HISTORY),
    publication: named(PUBLICATION),
    freeRerun: named(FREE_RERUN),
  };
}
