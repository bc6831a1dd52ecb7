import { expect, test } from 'vitest';
import { verifyCertificates } from '../../../src/http/proxy.ts';

test('the variable that switches verification off is removed, and the log names it', () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_EXTRA_CA_CERTS: '/ca.pem' };
  expect(verifyCertificates(env)).toContain('`NODE_TLS_REJECT_UNAUTHORIZED` is ignored');
  expect(env).toEqual({ NODE_EXTRA_CA_CERTS: '/ca.pem' });
});

test.each([undefined, '', '1', 'false'])('the log says nothing if the variable is %j', (value) => {
  const env = value === undefined ? {} : { NODE_TLS_REJECT_UNAUTHORIZED: value };
  expect(verifyCertificates(env)).toBeUndefined();
  expect(env).toEqual({});
});
