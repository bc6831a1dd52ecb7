import nock from 'nock';
import { expect } from 'vitest';
import { createGitHub, type GitHubClient } from '../../../src/github/octokit.ts';
import { answering, type Prepared } from '../../support/answering.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';

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
  }).until(NEVER_ABORTED);
}

/** A client that gets these answers, in this order, and what it asked. */
export function answered(...replies: readonly Prepared[]) {
  const clock = new FakeClock();
  const { fetch, ...exchange } = answering(replies, API);
  return { github: client({ fetch, clock }), ...exchange, sleeps: clock.sleeps };
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
