/** What our comment holds for the runs that come later, each one word of its own kind. */
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

/** The words in one, `;` between them; undefined where there is none. */
export function joinState({ mark, history, publication }: CommentState): string | undefined {
  const words = [mark, history, publication].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(';');
}

/** What is proven by nothing yet: whoever may edit the comment can have changed it. */
export function splitState(state: string | undefined): CommentState {
  const words = state?.split(';') ?? [];
  return {
    mark: words.find((word) => !word.startsWith(HISTORY) && !word.startsWith(PUBLICATION)),
    history: words.find((word) => word.startsWith(HISTORY)),
    publication: words.find((word) => word.startsWith(PUBLICATION)),
  };
}
