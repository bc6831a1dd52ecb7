import type { Result } from '../../../../src/domain/result.ts';
import type { GitHubClient } from '../../../../src/github/octokit.ts';
import type { Reply } from '../../../support/answering.ts';
import type { Changes } from '../../../support/changed.ts';

/** One request of a function that reads from GitHub's API. A function with several requests has a row for each of them. */
export interface Reader {
  readonly name: string;
  readonly read: (github: GitHubClient) => Promise<Result<unknown, unknown>>;
  /** The answers to the requests before this one. */
  readonly first?: readonly Reply[];
  /** A valid answer with every member that the function reads. Lists begin with their fullest item. */
  readonly answer: unknown;
  /** Other answers. Missing members and members of another form are not needed here. */
  readonly others?: readonly Changes[];
  /** The answers to the requests after this one. */
  readonly later?: readonly Reply[];
}

/** Other answers, each with one of these values for the member at this path. */
export function oneOf(path: string, ...values: readonly unknown[]): readonly Changes[] {
  return values.map((value) => ({ [path]: value }));
}

/** A part of an answer, replaced by what GitHub does not document, or leaves out. */
export interface Fault {
  readonly path: string;
  readonly value: unknown;
}

/** The faults of each member of an answer. Of a list, only the first item gets faults. */
export function faultsOf(answer: unknown, path = ''): readonly Fault[] {
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
