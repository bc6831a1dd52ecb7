import { afterAll, afterEach, expect } from 'vitest';
import { observeExchanges } from '../../sandbox/scan-service/exchanges.ts';
import { recordExchange, takeBreaches } from './contract-breaches.ts';
import { endFile } from './end-of-file.ts';

/**
 * Holds all traffic with the fake scanning service against the written contract, in every test: no test has
 * to think of it. A breach fails the test in which it happened. Loaded before every test file.
 *
 * What is held: every answer that the fake server itself makes, which must name all that the contract names and nothing
 * else; every request that it accepts; and every request of the action, accepted or not, which must name nothing that
 * the contract does not. What is not: answers that a test puts in the place of the fake server's, requests of others that
 * were refused, launches where a test has the fake server read them under other names, and the completeness of answers
 * where a test hides members that the contract does not require. A client whose answers a test makes up is held by
 * `test/support/guarded-api.ts`.
 */
const ignoreExchanges = observeExchanges(({ settings, request, answer }) => {
  const { method, url, headers, text } = request;
  recordExchange({ method, path: url.pathname + url.search, headers, text }, settings, answer);
});

const expectNone = async () => {
  expect(await takeBreaches(), 'all traffic with the service keeps to sandbox/contract/openapi.yaml').toEqual(
    [],
  );
};
afterEach(expectNone);
// And what happened outside of any test, in a hook.
afterAll(async () => {
  await endFile();
  ignoreExchanges();
  await expectNone();
});
