import { expect } from 'vitest';
import type { GitHubError } from '../../../src/github/errors.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { conversation, type Prepared } from '../../support/answering.ts';
import { shown } from '../../support/shown.ts';
import { HEAD_TREE } from './answers.ts';
import { answered } from './client.ts';
import { SHA } from './samples.ts';

/** What GitHub answers, and the call that asks it. `what` says what is special about the answers. */
export type Row = readonly [
  what: string,
  call: (github: GitHubClient) => Promise<unknown>,
  ...replies: readonly Prepared[],
];

/**
 * Runs each row. Compares the requests, with the status that each one got, the waits and the value with the golden file
 * of this name.
 */
export async function expectConversations(name: string, rows: readonly Row[]): Promise<void> {
  const conversations = await Promise.all(rows.map(described));
  await expect(`${conversations.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
}

async function described([what, call, ...replies]: Row): Promise<string> {
  const { github, asked, bodies, ends, sleeps } = answered(...replies);
  const value = await call(github);
  const requests = asked.map((request, index) => plain(request) + bodyOf(bodies[index]));
  return conversation(what, requests, ends, sleeps, resultOf(value));
}

/** Shows a value, or the error of GitHub's client. */
export function resultOf(value: unknown): string {
  const {
    ok,
    value: inner,
    error,
  }: { ok?: boolean; value?: unknown; error?: Partial<GitHubError> & { error?: unknown } } = Object(value);
  if (ok === true) return inner === undefined ? 'done' : text(inner);
  if (ok === undefined || error === undefined) return text(value);
  // A reader may wrap the error of the client.
  if (error.error !== undefined) return `${error.kind}: ${resultOf({ ok, error: error.error })}`;
  if (error.operation === undefined) return text(value);
  const { kind, operation, permission, status, message, ambiguous, ...more } = error;
  const rest = Object.keys(more).length === 0 ? '' : ` ${text(more)}`;
  const unsure = ambiguous === true ? ', ambiguous' : '';
  return `error ${kind} ${status}: could not ${operation} (${permission})${unsure}: ${message}${rest}`;
}

/** Shows the body of a request. Of a query of GraphQL, shows the variables. */
export function bodyOf(body: unknown): string {
  if (body === undefined) return '';
  const { query, variables }: { query?: string; variables?: object } = Object(body);
  if (query === undefined) return ` ${text(body)}`;
  const { owner: _owner, repo: _repo, ...rest }: Record<string, unknown> = { ...variables };
  return ` ${text(rest)}`;
}

function text(value: unknown): string {
  return plain(shown(value));
}

export function plain(line: string): string {
  return line
    .replaceAll('/repos/acme/shop/', '/')
    .replaceAll(SHA.head, 'HEAD')
    .replaceAll(SHA.base, 'BASE')
    .replaceAll(SHA.other, 'OTHER')
    .replaceAll(HEAD_TREE, 'TREE')
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID');
}
