import { afterAll, afterEach, expect } from 'vitest';
import { observeExchanges } from '../../sandbox/scan-service/exchanges.ts';
import { recordExchange, takeBreaches } from './contract-breaches.ts';
import { endFile } from './end-of-file.ts';

/**
 * Checks all traffic with the fake scanning service against the written contract. This file is loaded before every test
 * file, so no test has to call it. A breach fails the test in which it happened.
 *
 * It checks:
 * - every answer that the fake server itself creates, which must have exactly the names of the contract
 * - every request that the fake server accepts
 * - every request of the action, accepted or not, which must have only names of the contract
 *
 * It does not check:
 * - answers that a test substitutes
 * - refused requests of clients other than the action
 * - launches, if a test makes the fake server expect other names for their members
 * - whether answers are complete if a test hides members that the contract does not require
 *
 * If a test makes up the answers for a client, `test/support/guarded-api.ts` checks the client.
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
// Reports breaches that a hook caused, outside of any test.
afterAll(async () => {
  await endFile();
  ignoreExchanges();
  await expectNone();
});
