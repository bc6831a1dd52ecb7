import { describe, expect, test } from 'vitest';
import { nameLostTunnel, useProxy } from '../../../src/http/proxy.ts';

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

describe('the error of a request for a tunnel', () => {
  const coded = (code: string) => Object.assign(new Error('other side closed'), { code });

  test.each(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND'])('%s says proxy', (code) => {
    const error = coded(code);
    nameLostTunnel({ request: { method: 'CONNECT' }, error });
    expect(error.code).toBe('UND_ERR_PRX_CONN');
  });

  test.each([
    ['GET', 'UND_ERR_SOCKET'],
    ['POST', 'ECONNRESET'],
    ['CONNECT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['CONNECT', 'UND_ERR_ABORTED'],
  ])('%s %s is left alone', (method, code) => {
    const error = coded(code);
    nameLostTunnel({ request: { method }, error });
    expect(error.code).toBe(code);
  });

  test.each([
    undefined,
    {},
    { request: { method: 'CONNECT' } },
    { request: { method: 'CONNECT' }, error: 'x' },
  ])('what is no such message is nothing: %o', (message) => {
    expect(() => nameLostTunnel(message)).not.toThrow();
  });
});
