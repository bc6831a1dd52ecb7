/** Longer lists are shown by their first and their last item. */
const LONGEST_LIST = 4;
const LONGEST_TEXT = 120;

/** Shows a value in one line, as a golden file has it: JSON without the quotes of names. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value, shortened) ?? 'undefined';
  return json.replace(/"(\w+)":/g, '$1: ').replace(/,(?! )/g, ', ');
}

function shortened(_name: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (Array.isArray(value) && value.length > LONGEST_LIST) {
    return [value[0], `… ${value.length} items …`, value.at(-1)];
  }
  if (typeof value === 'string' && value.length > LONGEST_TEXT) {
    return `${value.slice(0, LONGEST_TEXT)}… ${value.length} characters`;
  }
  return value;
}

/** Shows the members of `after` that differ from those of `before`, each by its dotted path. */
export function changes(before: unknown, after: unknown, path = ''): string[] {
  const [one, other] = [membersOf(before), membersOf(after)];
  if (one === undefined || other === undefined) {
    const [from, to] = [shown(before), shown(after)];
    return from === to ? [] : [`${path}: ${to}`];
  }
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) =>
    changes(one.get(name), other.get(name), path === '' ? name : `${path}.${name}`),
  );
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  const isRecord =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  return isRecord ? new Map(Object.entries(value)) : undefined;
}

/**
 * Shows how the text `after` differs from `before`, as a golden file has it: removed lines after `-`, added lines after
 * `+`, and the number of equal lines between them.
 */
export function lineChanges(before: string, after: string): string[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  // `lengths[i][j]` is the number of lines that the rest of `one` from `i` and the rest of `other` from `j` share.
  const lengths = Array.from({ length: one.length + 1 }, () => Array<number>(other.length + 1).fill(0));
  const length = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] ?? [];
      row[j] = one[i] === other[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  const shown: string[] = [];
  let equal = 0;
  const endEqual = () => {
    if (equal > 0) shown.push(`  … equal lines: ${equal}`);
    equal = 0;
  };
  for (let i = 0, j = 0; i < one.length || j < other.length; ) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      equal += 1;
      i += 1;
      j += 1;
    } else {
      endEqual();
      const isRemoved = j >= other.length || (i < one.length && length(i + 1, j) >= length(i, j + 1));
      shown.push(isRemoved ? `- ${one[i++]}` : `+ ${other[j++]}`);
    }
  }
  endEqual();
  return shown;
}

/** The number of lines that differ only in their numbers and that a golden file shows. */
const MOST_SIMILAR = 3;

/** Leaves out lines that differ only in their numbers from earlier lines, and counts them. */
export function withoutRepetition(text: string): string {
  const seen = new Map<string, number>();
  const shown: string[] = [];
  let leftOut = 0;
  const endLeftOut = () => {
    if (leftOut > 0) shown.push(`… similar lines: ${leftOut}`);
    leftOut = 0;
  };
  for (const line of text.split('\n')) {
    const form = line.replace(/\d+/g, '0');
    const before = seen.get(form) ?? 0;
    // A line without words belongs to the line before it.
    const isLeftOut = /\w/.test(line) ? before >= MOST_SIMILAR : leftOut > 0;
    seen.set(form, before + 1);
    if (isLeftOut) leftOut += 1;
    else {
      endLeftOut();
      shown.push(line);
    }
  }
  endLeftOut();
  return shown.join('\n');
}
