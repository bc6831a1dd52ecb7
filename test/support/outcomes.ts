import { type Changes, changed } from './changed.ts';
import { shown } from './shown.ts';

/** Other answers, each with one of these values for the member at this path. */
export function oneOf(path: string, ...values: readonly unknown[]): readonly Changes[] {
  return values.map((value) => ({ [path]: value }));
}

/** A member of an answer, by its path, and a value in its place. A member without a value is missing. */
interface Fault {
  readonly path: string;
  readonly value: unknown;
}

/**
 * Shows what a reading makes of other answers: one line for each outcome, with the answers that lead to it. `another x`
 * means each value that stands in the place of the member `x`.
 * @param answer a valid answer; each of its members is replaced
 * @param others further answers: the members that differ
 */
export async function outcomes(
  answer: unknown,
  others: readonly Changes[],
  outcomeOf: (answer: unknown) => string | Promise<string>,
): Promise<string[]> {
  const seen: [outcome: string, what: string][] = [];
  for (const other of others) {
    const what = Object.entries(other).map(([path, value]) => `${path || 'answer'} = ${shown(value)}`);
    seen.push([await outcomeOf(changed(answer, other)), what.join(' and ')]);
  }
  for (const [path, faults] of Map.groupBy(faultsOf(answer), ({ path }) => path)) {
    const values = new Map<string, string[]>();
    for (const { value } of faults) {
      const outcome = await outcomeOf(changed(answer, { [path]: value }));
      values.set(outcome, [...(values.get(outcome) ?? []), value === undefined ? 'none' : shown(value)]);
    }
    const name = path || 'answer';
    for (const [outcome, those] of values)
      seen.push([outcome, values.size === 1 ? `another ${name}` : `${name} = ${those.join(' | ')}`]);
  }
  const grouped = Map.groupBy(seen, ([outcome]) => outcome);
  return Array.from(
    grouped,
    ([outcome, those]) => `${outcome} if ${those.map(([, what]) => what).join(', ')}`,
  );
}

/** The faults of each member of an answer. Of a list, only the first item gets faults. */
function faultsOf(answer: unknown, path = ''): readonly Fault[] {
  const own = valuesLike(answer).filter((value) => path !== '' || value !== undefined);
  const isObject = typeof answer === 'object' && answer !== null;
  const members = isObject ? Object.entries(answer).slice(0, Array.isArray(answer) ? 1 : undefined) : [];
  return [
    ...own.map((value) => ({ path, value })),
    ...members.flatMap(([name, value]) => faultsOf(value, path === '' ? name : `${path}.${name}`)),
  ];
}

function valuesLike(value: unknown): readonly unknown[] {
  if (value === null) return [undefined, 7];
  if (Array.isArray(value)) return [undefined, null, 'none', []];
  if (typeof value === 'object') return [undefined, null, 7, []];
  if (typeof value === 'number') return [undefined, null, String(value), 0];
  if (typeof value === 'boolean') return [undefined, null, 'yes', !value];
  const text = String(value);
  const others = /^[\da-f]{40}$/.test(text) ? ['HEAD~1', text.slice(0, 7)] : [];
  if (/^\d{4}-\d\d-/.test(text)) others.push('2026-13-45T99:99:99Z');
  if (text.startsWith('https:')) others.push('javascript:x');
  return [undefined, null, 7, '', ...others];
}
