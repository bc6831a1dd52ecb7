import { describe, expect, test } from 'vitest';
import { nameLostTunnel, useProxy } from '../../../src/http/proxy.ts';

const SERVICE = 'https://service.test/api/v1';

/** Imitates a Node.js that supports proxies. Records the variables that it gets. */
function node() {
  const given: NodeJS.ProcessEnv[] = [];
  const setGlobalProxyFromEnv = (env: NodeJS.ProcessEnv = {}) => {
    given.push(env);
    return () => {};
  };
  return { given, setGlobalProxyFromEnv };
}

describe('proxy variables', () => {
  test.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])(
    'the proxy variable %s is used',
    (name) => {
      const { given, setGlobalProxyFromEnv } = node();
      const env = { [name]: 'http://proxy.example:3128', NO_PROXY: 'localhost' };
      expect(useProxy(env, SERVICE, { setGlobalProxyFromEnv })).toBeUndefined();
      const direct = 'localhost,127.0.0.1,[::1]';
      expect(given).toEqual([{ ...env, NO_PROXY: direct, no_proxy: direct }]);
    },
  );

  test.each([{}, { HTTPS_PROXY: '' }, { NO_PROXY: '*' }])(
    'useProxy sets no proxy for these variables: %j',
    (env) => {
      const { given, setGlobalProxyFromEnv } = node();
      expect(useProxy(env, SERVICE, { setGlobalProxyFromEnv })).toBeUndefined();
      expect(given).toEqual([]);
    },
  );

  test.each([
    [{}, 'http://127.0.0.7:8080/api/v1', 'localhost,127.0.0.1,[::1],127.0.0.7'],
    [{ NO_PROXY: 'a.test, .b.test' }, SERVICE, 'a.test,.b.test,localhost,127.0.0.1,[::1]'],
    [{ NO_PROXY: 'a.test', no_proxy: 'b.test' }, SERVICE, 'b.test,localhost,127.0.0.1,[::1]'],
    [{ NO_PROXY: '*' }, SERVICE, '*'],
  ])(
    'a loopback host is reached without the proxy: variables %j, service %s',
    (variables, baseUrl, direct) => {
      const { given, setGlobalProxyFromEnv } = node();
      const env = { HTTP_PROXY: 'http://proxy.example:3128', ...variables };
      expect(useProxy(env, baseUrl, { setGlobalProxyFromEnv })).toBeUndefined();
      expect(given.map((env) => env['NO_PROXY'])).toEqual([direct]);
    },
  );

  test('proxy variables are an error if the Node.js version is too old to support them', () => {
    const old = Object.create(null);
    expect(useProxy({ HTTPS_PROXY: 'http://proxy.example:3128' }, SERVICE, old)).toMatchObject({
      reason: 'configuration',
      cause: expect.stringContaining('HTTPS_PROXY'),
      nextStep: expect.stringContaining('Update the runner'),
    });
    expect(useProxy({}, SERVICE, old)).toBeUndefined();
  });

  test('the error about a malformed proxy variable names the variable, but does not show its value', () => {
    const failure = useProxy({ HTTPS_PROXY: 'http://user:hunter22@[proxy' }, SERVICE);
    expect(failure).toMatchObject({ reason: 'configuration', cause: expect.stringContaining('HTTPS_PROXY') });
    expect(JSON.stringify(failure)).not.toContain('hunter22');
  });
});

describe('the error of a request for a tunnel', () => {
  const coded = (code: string) => Object.assign(new Error('other side closed'), { code });

  test.each([
    'UND_ERR_SOCKET',
    'ECONNRESET',
    'ECONNREFUSED',
    'ENOTFOUND',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_HEADERS_TIMEOUT',
  ])('the error %s of a request for a tunnel becomes a proxy error', (code) => {
    const error = coded(code);
    nameLostTunnel({ request: { method: 'CONNECT' }, error });
    expect(error.code).toBe('UND_ERR_PRX_CONN');
  });

  test.each([
    ['GET', 'UND_ERR_SOCKET'],
    ['POST', 'ECONNRESET'],
    ['CONNECT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['CONNECT', 'UND_ERR_ABORTED'],
  ])('an error keeps its code if it is not about a lost tunnel: %s request, %s', (method, code) => {
    const error = coded(code);
    nameLostTunnel({ request: { method }, error });
    expect(error.code).toBe(code);
  });

  test.each([
    undefined,
    {},
    { request: { method: 'CONNECT' } },
    { request: { method: 'CONNECT' }, error: 'x' },
  ])('nameLostTunnel ignores an incomplete message: %j', (message) => {
    expect(() => nameLostTunnel(message)).not.toThrow();
  });
});
