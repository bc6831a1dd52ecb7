/** Words that readers of GitHub's documentation do not expect, and pronouns that do not say who acts. */
export const UNLEARNED =
  /\b(?:mend(?:s|ed|ing)?|told|stor(?:y|ies)|scenes?|worlds?|parts|noted|sighted|go(?:es|ing)? on|whoever|(?:some|any|no)body|houses?|rooms?)\b/gi;

/** The words that messages avoid. Some of them are other words for a fake server, which messages always call a fake. */
export const UNLEARNED_IN_MESSAGES = new RegExp(
  `${UNLEARNED.source}|\\btells\\b|\\bfor nothing\\b|\\bstand-?ins?\\b`,
  'gi',
);

/** The words that comments and test titles avoid. */
export const UNLEARNED_IN_CODE = new RegExp(
  `${UNLEARNED_IN_MESSAGES.source}|\\beverybody\\b|\\bsaboteurs?\\b`,
  'gi',
);

/** The words that names avoid. `go on` is not among them, because no name needs it. */
export const UNLEARNED_IN_NAMES: ReadonlySet<string> = new Set([
  ...['mend', 'mends', 'mended', 'told', 'tells', 'story', 'stories', 'scene', 'scenes', 'world', 'worlds'],
  ...['parts', 'noted', 'sighted', 'town', 'whoever', 'somebody', 'anybody', 'nobody', 'everybody'],
  ...['house', 'houses', 'room', 'rooms', 'words', 'saboteur', 'mischief', 'flaw', 'flaws', 'flawed'],
]);

/** The only places where a word to avoid is allowed, each with the reason. */
export const EXCEPTIONS: readonly (readonly [file: string, word: string, why: string])[] = [
  ['test/sandbox/runner/run-action.test.ts', 'words', 'the variable of the input `two words`'],
  ['test/project/documents.test.ts', 'words', 'counts the words of the README'],
];
