import { expect, test } from 'vitest';
import { nameLostTunnel, useProxy, verifyCertificates } from '../../../src/http/proxy.ts';

const SERVICE = 'https://service.test/api/v1';
const PROXY = 'http://proxy.example:3128';
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

/** Uses the proxy in a Node.js that supports proxies. Returns the variables that Node.js gets. */
function given(env: NodeJS.ProcessEnv, baseUrl = SERVICE): NodeJS.ProcessEnv[] {
  const given: NodeJS.ProcessEnv[] = [];
  const setGlobalProxyFromEnv = (env: NodeJS.ProcessEnv = {}) => {
    given.push(env);
    return () => {};
  };
  expect(useProxy(env, baseUrl, { setGlobalProxyFromEnv })).toBeUndefined();
  return given;
}

test.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])(
  'the proxy variable %s is used',
  (name) => {
    const env = { [name]: PROXY, NO_PROXY: 'localhost' };
    expect(given(env)).toEqual([{ ...env, NO_PROXY: LOOPBACK, no_proxy: LOOPBACK }]);
  },
);

test.each([{}, { HTTPS_PROXY: '' }, { NO_PROXY: '*' }])(
  'useProxy sets no proxy for these variables: %j',
  (env) => {
    expect(given(env)).toEqual([]);
  },
);

test.each([
  [{}, 'http://127.0.0.7:8080/api/v1', `${LOOPBACK},127.0.0.7`],
  [{ NO_PROXY: 'a.test, .b.test' }, SERVICE, `a.test,.b.test,${LOOPBACK}`],
  [{ NO_PROXY: 'a.test', no_proxy: 'b.test' }, SERVICE, `b.test,${LOOPBACK}`],
  [{ NO_PROXY: '*' }, SERVICE, '*'],
])('a loopback host is reached without the proxy: variables %j, service %s', (variables, baseUrl, direct) => {
  const [env] = given({ HTTP_PROXY: PROXY, ...variables }, baseUrl);
  expect(env?.['NO_PROXY']).toBe(direct);
});

test('proxy variables are an error if the Node.js version is too old to support them', () => {
  const old = Object.create(null);
  expect(useProxy({ HTTPS_PROXY: PROXY }, SERVICE, old)).toMatchObject({
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

const CONNECT = { request: { method: 'CONNECT' } };
test.each([undefined, {}, CONNECT, { ...CONNECT, error: 'x' }])(
  'nameLostTunnel ignores an incomplete message: %j',
  (message) => {
    expect(() => nameLostTunnel(message)).not.toThrow();
  },
);

test('the variable that switches verification off is removed, and the log names it', () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_EXTRA_CA_CERTS: '/ca.pem' };
  expect(verifyCertificates(env)).toContain('`NODE_TLS_REJECT_UNAUTHORIZED` is ignored');
  expect(env).toEqual({ NODE_EXTRA_CA_CERTS: '/ca.pem' });
});

test.each([{}, ...['', '1', 'false'].map((value) => ({ NODE_TLS_REJECT_UNAUTHORIZED: value }))])(
  'the log says nothing about verification for these variables: %j',
  (env) => {
    expect(verifyCertificates(env)).toBeUndefined();
    expect(env).toEqual({});
  },
);
