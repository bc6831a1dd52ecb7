import { expect, test } from 'vitest';
import { readContract } from '../../../sandbox/contract/read-contract.ts';
import { at } from '../play.ts';
import { start } from '../scan-service/harness.ts';

test('the fake service shows its contract to clients without a token, outside of the API', async () => {
  const { service, call } = await start();
  const address = `${service.origin}/openapi.json`;
  const response = await fetch(address);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const served: unknown = await response.json();
  expect(served).toEqual(readContract());
  expect(new URL(String(at(served, 'servers.0.url')), address).href).toBe(service.baseUrl);
  expect(service.requests).toMatchObject([{ point: 'contract', status: 200 }]);
  expect((await call('GET', '/openapi.json')).status).toBe(404);
  expect((await fetch(address, { method: 'POST' })).status).toBe(401);
});
