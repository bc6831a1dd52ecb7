import nock from 'nock';
import { expect } from 'vitest';
import { createGitHub, type GitHubClient } from '../../../src/github/octokit.ts';
import { FakeClock } from '../../support/fake-clock.ts';

// A request that no test expects must fail here and not reach the real GitHub.
nock.disableNetConnect();
nock.enableNetConnect('127.0.0.1');

export const API = 'https://api.github.com';
export const TOKEN = 'ghs_0123456789abcdef';

/** A client whose waits take no time. A time limit for each attempt keeps a test from hanging. */
export function client(
  options: { clock?: FakeClock; apiUrl?: string; fetch?: typeof globalThis.fetch } = {},
): GitHubClient {
  const apiUrl = options.apiUrl ?? API;
  return createGitHub({
    token: TOKEN,
    environment: { owner: 'acme', repo: 'shop', apiUrl, graphqlUrl: `${apiUrl}/graphql` },
    clock: options.clock ?? new FakeClock(),
    fetch: options.fetch ?? fetch,
    attemptMs: 120_000,
  });
}

/** An answer of GitHub: its status, its body and its headers. Text is sent as HTML, anything else as JSON. */
export type Reply = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/**
 * A client that gets these answers, in this order. An error stands for a connection that failed. A function makes the
 * answer when the request arrives.
 */
export function answered(...replies: readonly (Reply | Error | (() => Reply))[]) {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const clock = new FakeClock();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const prepared = replies[asked.length] ?? [500, { message: 'no answer is prepared' }];
    asked.push(`${init?.method} ${String(input).replace(API, '')}`);
    bodies.push(typeof init?.body === 'string' && init.body !== '' ? JSON.parse(init.body) : undefined);
    if (prepared instanceof Error) throw prepared;
    const [status, body = {}, headers = {}] = typeof prepared === 'function' ? prepared() : prepared;
    const isText = typeof body === 'string';
    const type = { 'content-type': isText ? 'text/html' : 'application/json' };
    return new Response(status === 204 ? null : isText ? body : JSON.stringify(body), {
      status,
      headers: { ...type, ...headers },
    });
  };
  return { github: client({ fetch, clock }), asked, bodies, sleeps: clock.sleeps };
}

/** Prepares answers of GitHub's API. A request without a prepared answer is an error. */
export function github(): nock.Scope {
  return nock(API);
}

/** Checks in `afterEach` that the code requested every answer that the test prepared. */
export function expectNoAnswerLeft(): void {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
}

export const SHA = {
  head: 'a'.repeat(40),
  base: 'b'.repeat(40),
  other: 'c'.repeat(40),
} as const;
