/** The hidden entries of our comment for later runs. */
export interface CommentState {
  /** Names the scan. */
  readonly mark: string | undefined;
  /** The findings that were reported. */
  readonly history: string | undefined;
  /** The published page of the scan. */
  readonly publication: string | undefined;
}

const HISTORY = 'h1:';
const PUBLICATION = 'p1:';

/** Joins the entries with `;`. Undefined where there is none. */
export function joinState({ mark, history, publication }: CommentState): string | undefined {
  const entries = [mark, history, publication].filter((word) => word !== undefined);
  return entries.length === 0 ? undefined : entries.join(';');
}

/** Splits a state. Its entries are unproven: any user who may edit the comment can have changed them. */
export function splitState(state: string | undefined): CommentState {
  const entries = state?.split(';') ?? [];
  return {
    mark: entries.find((word) => !word.startsWith(HISTORY) && !word.startsWith(PUBLICATION)),
    history: entries.find((word) => word.startsWith(HISTORY)),
    publication: entries.find((word) => word.startsWith(PUBLICATION)),
  };
}
