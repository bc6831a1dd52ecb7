import { expect, test } from 'vitest';
import { readContract } from '../../../sandbox/contract/read-contract.ts';
import { at, start, textAt } from '../scan-service/harness.ts';

test('the fake service shows its contract to clients without a token', async () => {
  const { service, call } = await start();
  const address = `${service.origin}/openapi.json`;
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const served: unknown = await response.json();
  expect(served).toEqual(readContract());
  expect(new URL(textAt(at(served, 'servers', 0), 'url'), address).href).toBe(service.baseUrl);
  expect(service.requests).toMatchObject([{ point: 'contract', status: 200 }]);
  // The contract is outside the API prefix, below which only documented endpoints exist.
  expect(await call('GET', '/openapi.json')).toMatchObject({ status: 404 });
});

test('a POST request for the contract needs a token', async () => {
  const { service } = await start();
  expect((await fetch(`${service.origin}/openapi.json`, { method: 'POST' })).status).toBe(401);
});
