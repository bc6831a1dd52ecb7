import { describe, expect, test } from 'vitest';
import { useProxy } from '../src/proxy.ts';

/** A Node that can honour proxies, and remembers with what it was told to. */
function node() {
  const told: NodeJS.ProcessEnv[] = [];
  const setGlobalProxyFromEnv = (env: NodeJS.ProcessEnv = {}) => {
    told.push(env);
    return () => {};
  };
  return { told, setGlobalProxyFromEnv };
}

describe('proxy variables', () => {
  test.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])('%s is honoured', (name) => {
    const { told, setGlobalProxyFromEnv } = node();
    const env = { [name]: 'http://proxy.example:3128', NO_PROXY: 'localhost' };
    expect(useProxy(env, { setGlobalProxyFromEnv })).toBeUndefined();
    expect(told).toEqual([env]);
  });

  test.each([{}, { HTTPS_PROXY: '' }, { NO_PROXY: '*' }])('%o: nothing is changed', (env) => {
    const { told, setGlobalProxyFromEnv } = node();
    expect(useProxy(env, { setGlobalProxyFromEnv })).toBeUndefined();
    expect(told).toEqual([]);
  });

  test('that this Node is too old for are not gone around in silence', () => {
    const old = Object.create(null);
    expect(useProxy({ HTTPS_PROXY: 'http://proxy.example:3128' }, old)).toMatchObject({
      reason: 'configuration',
      cause: expect.stringContaining('HTTPS_PROXY'),
      nextStep: expect.stringContaining('Update the runner'),
    });
    expect(useProxy({}, old)).toBeUndefined();
  });

  test('that are no address are named, and their value, which may hold a password, is not', () => {
    const stop = useProxy({ HTTPS_PROXY: 'http://user:hunter22@[proxy' });
    expect(stop).toMatchObject({ reason: 'configuration', cause: expect.stringContaining('HTTPS_PROXY') });
    expect(JSON.stringify(stop)).not.toContain('hunter22');
  });
});
