/** Words that readers of GitHub's documentation do not expect, and actors without a role. */
export const UNLEARNED =
  /\b(?:mend(?:s|ed|ing)?|told|stor(?:y|ies)|scenes?|worlds?|parts|noted|sighted|go(?:es|ing)? on|whoever|(?:some|any|no)body|houses?|rooms?)\b/gi;

/** What messages avoid as well. */
export const UNLEARNED_IN_MESSAGES = new RegExp(`${UNLEARNED.source}|\\btells\\b|\\bfor nothing\\b`, 'gi');
