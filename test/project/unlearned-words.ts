/** Words that readers of GitHub's documentation do not expect, and actors without a role. */
export const UNLEARNED =
  /\b(?:mend(?:s|ed|ing)?|told|stor(?:y|ies)|scenes?|worlds?|parts|noted|sighted|go(?:es|ing)? on|whoever|(?:some|any|no)body|houses?|rooms?)\b/gi;

/** More words that messages avoid. `fake` is the one word for a server of the sandbox. */
export const UNLEARNED_IN_MESSAGES = new RegExp(
  `${UNLEARNED.source}|\\btells\\b|\\bfor nothing\\b|\\bstand-?ins?\\b`,
  'gi',
);

/** More words that comments and test titles avoid. */
export const UNLEARNED_IN_CODE = new RegExp(
  `${UNLEARNED_IN_MESSAGES.source}|\\beverybody\\b|\\bsaboteurs?\\b`,
  'gi',
);

/** Words that names must not contain. `go` is wrong only before `on`, which no name needs. */
export const UNLEARNED_IN_NAMES: ReadonlySet<string> = new Set([
  ...['mend', 'mends', 'mended', 'told', 'tells', 'story', 'stories', 'scene', 'scenes', 'world', 'worlds'],
  ...['parts', 'noted', 'sighted', 'town', 'whoever', 'somebody', 'anybody', 'nobody', 'everybody'],
  ...['house', 'houses', 'room', 'rooms', 'words', 'saboteur', 'mischief', 'flaw', 'flaws', 'flawed'],
]);

/** The only places where such a word is allowed, each with the reason. */
export const EXCEPTIONS: readonly (readonly [file: string, word: string, why: string])[] = [
  ['test/sandbox/runner/run-action.test.ts', 'words', 'the variable of the input `two words`'],
  ['test/project/documents.ts', 'words', 'counts the words of the README'],
  ['test/project/documents.test.ts', 'words', 'counts the words of the README'],
];
