import { afterAll, afterEach, expect, vi } from 'vitest';
import { noteBreaches, takeBreaches } from './contract-breaches.ts';

/**
 * Holds all traffic with the stand-in of the scanning service against the written contract, in every test: no test has
 * to think of it. A breach fails the test in which it happened. Loaded before every test file.
 *
 * What is held: every answer that the stand-in itself makes, which must name all that the contract names and nothing
 * else; every request that it accepts; and every request of the action, accepted or not, which must name nothing that
 * the contract does not. What is not: answers that a test puts in the place of the stand-in's, requests of others that
 * were refused, launches where a test has the stand-in read them under other names, and the completeness of answers
 * where a test hides members that the contract does not require.
 */
vi.mock('../src/sandbox/scan-service/process-request.ts', async (original) => {
  const real = await original<typeof import('../src/sandbox/scan-service/process-request.ts')>();
  const { answerBreaches, parsedBody, requestBreaches } = await import('./contract-traffic.ts');
  const processRequest: typeof real.processRequest = async (world, request) => {
    const answer = await real.processRequest(world, request);
    const { method, url, headers, text } = request;
    const arrived = { method, path: url.pathname + url.search, headers, body: parsedBody(text) };
    noteBreaches(requestBreaches(arrived, world.settings, answer.status));
    noteBreaches(answerBreaches(arrived, world.settings, answer));
    return answer;
  };
  return { ...real, processRequest };
});

/** Requests that are answered without being processed are held here. */
vi.mock('../src/sandbox/scan-service/server.ts', async (original) => {
  const real = await original<typeof import('../src/sandbox/scan-service/server.ts')>();
  const { requestBreaches } = await import('./contract-traffic.ts');
  const startScanService: typeof real.startScanService = (options) =>
    real.startScanService({
      ...options,
      intercept: async (request) => {
        const interception = await options.intercept?.(request);
        const isReplaced =
          interception !== undefined &&
          ('status' in interception || ('fault' in interception && interception.fault.endsWith('-before')));
        if (isReplaced) noteBreaches(requestBreaches(request, options, undefined));
        return interception;
      },
    });
  return { ...real, startScanService };
});

/** What the client sends where no stand-in is: to answers that a test makes up. */
vi.mock('../src/scan-api/client.ts', async (original) => {
  const real = await original<typeof import('../src/scan-api/client.ts')>();
  const { parsedBody, requestBreaches } = await import('./contract-traffic.ts');
  const createScanApi: typeof real.createScanApi = (options) =>
    real.createScanApi({
      ...options,
      fetch: (input, init) => {
        const { method, url, headers } = new Request(input, init);
        const { pathname, search } = new URL(url);
        const body = typeof init?.body === 'string' ? parsedBody(init.body) : undefined;
        const sent = { method, path: pathname + search, headers: Object.fromEntries(headers), body };
        noteBreaches(requestBreaches(sent, {}, undefined));
        return (options.fetch ?? globalThis.fetch)(input, init);
      },
    });
  return { ...real, createScanApi };
});

const expectNone = () => {
  expect(takeBreaches(), 'all traffic with the service keeps to its contract').toEqual([]);
};
afterEach(expectNone);
// And what happened outside of any test, in a hook.
afterAll(expectNone);
