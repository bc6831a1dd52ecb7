/** When and where an `if` is evaluated. */
export interface Situation {
  /** The event that started the workflow. */
  readonly event: string;
  /** `owner/name` of the repository. */
  readonly repository: string;
  /** For a job: true if all jobs in `needs` succeeded. For a step: true if all steps before it succeeded. */
  readonly succeeded: boolean;
}

/** The value of a condition. Undefined if the file alone does not determine the value. */
export type Truth = boolean | undefined;

/** Matches a status function. If a condition has no such function, GitHub puts `success() &&` before it. */
const STATE_FUNCTION = /\b(?:always|cancelled|failure|success)\s*\(\s*\)/i;

/** Evaluates an `if` as GitHub does. Undefined if the file alone does not determine the value. */
export function holds(condition: string | undefined, situation: Situation): Truth {
  const text = unwrapped(condition ?? '');
  if (text === '') return situation.succeeded;
  if (text.length > LONGEST) return undefined;
  // Text beside an expression makes the whole condition a string, which is not evaluated here.
  if (text.includes('${{')) return undefined;
  const truth = truthOf(text, situation, 0);
  const hasStateFunction = STATE_FUNCTION.test(text.replace(/'[^']*'/g, "''"));
  return situation.succeeded || hasStateFunction ? truth : false;
}

function unwrapped(condition: string): string {
  const text = condition.trim();
  const inner = /^\$\{\{([\s\S]*)\}\}$/.exec(text)?.[1];
  return inner === undefined || inner.includes('${{') ? text : inner.trim();
}

/**
 * False if a key such as `continue-on-error` is missing or `false`. An expression counts as true, because its value
 * is not known.
 */
export function mayBeTrue(value: string | undefined): boolean {
  return value !== undefined && unwrapped(value).toLowerCase() !== 'false';
}

/** Our choice: the most levels of a condition that is evaluated. */
const DEEPEST = 20;
/** GitHub's limit for an expression, in characters. */
const LONGEST = 21_000;

function truthOf(given: string, situation: Situation, depth: number): Truth {
  const text = given.trim();
  if (depth > DEEPEST) return undefined;
  const next = (one: string) => truthOf(one, situation, depth + 1);
  const either = splitAt(text, '||');
  if (either.length > 1) {
    const values = either.map(next);
    return values.includes(true) ? true : values.includes(undefined) ? undefined : false;
  }
  const all = splitAt(text, '&&');
  if (all.length > 1) {
    const values = all.map(next);
    return values.includes(false) ? false : values.includes(undefined) ? undefined : true;
  }
  if (/^!(?!=)/.test(text)) {
    // `!` binds more tightly than `==`, so `!a == b` compares a boolean with `b`. Such a condition is not evaluated.
    const value = isComparison(text) ? undefined : next(text.slice(1));
    return value === undefined ? undefined : !value;
  }
  if (/^\([\s\S]*\)$/.test(text) && splitAt(text, ')').length === 1) return next(text.slice(1, -1));
  return atomOf(text, situation);
}

/** True if the text contains a comparison outside of brackets and quotes. */
function isComparison(text: string): boolean {
  return ['==', '!=', '<', '>'].some((operator) => splitAt(text, operator).length > 1);
}

function atomOf(text: string, { event, repository, succeeded }: Situation): Truth {
  switch (text.toLowerCase().replace(/\s/g, '')) {
    case 'true':
    case 'always()':
      return true;
    case 'false':
    case 'cancelled()':
      return false;
    case 'success()':
      return succeeded;
    case 'failure()':
      // If an earlier job did not succeed, it failed or was skipped. `failure()` is true only after a failure, so the
      // value is not known.
      return succeeded ? false : undefined;
  }
  const [, before = '', operator, after = ''] = /^([\s\S]+?)(==|!=)([\s\S]+)$/.exec(text) ?? [];
  const [left, right] = [before.trim(), after.trim()];
  const [name, word] = left.startsWith("'") ? [right, left] : [left, right];
  const value = /^'([^']*)'$/.exec(word)?.[1]?.toLowerCase();
  const known = knownValue(name.toLowerCase(), event, repository)?.toLowerCase();
  if (value === undefined || known === undefined) return undefined;
  return (known === value) === (operator === '==');
}

function knownValue(name: string, event: string, repository: string): string | undefined {
  switch (name) {
    case 'github.event_name':
      return event;
    case 'github.repository':
      return repository;
    case 'github.repository_owner':
      return repository.split('/')[0];
    default:
      return undefined;
  }
}

/**
 * Splits the text at separators outside of quotes and brackets. The separator `)` is special: the text is split once,
 * before the bracket that closes the first opening bracket. If the text ends with that bracket, it is not split.
 */
function splitAt(text: string, separator: string): readonly string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return [text];
      at = end;
    } else if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') {
      depth -= 1;
      if (separator === ')' && depth === 0 && at < text.length - 1)
        return [text.slice(0, at), text.slice(at)];
    } else if (depth === 0 && text.startsWith(separator, at)) {
      pieces.push(text.slice(start, at));
      at += separator.length - 1;
      start = at + 1;
    }
  }
  return [...pieces, text.slice(start)];
}
