import { expect, test } from 'vitest';
import { readConnectionError } from '../../../src/http/connection-error.ts';
import { nameLostTunnel } from '../../../src/http/proxy.ts';

const systemError = (code: string, message = code, extra: object = {}) =>
  Object.assign(new Error(message), { code, ...extra });
const connecting = (code: string) =>
  systemError(code, `connect ${code} 192.0.2.1:443`, { syscall: 'connect' });

/** An error of the request for a tunnel through a proxy. */
function ofTunnel(code: string, method = 'CONNECT'): Error {
  const error = systemError(code, 'other side closed');
  nameLostTunnel({ request: { method }, error });
  return error;
}

const CODES = [
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EPROTO'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_SOCKET', 'A_CODE_OF_TOMORROW'],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['UND_ERR_PRX_CONN', 'UND_ERR_PRX_TLS', 'EHOSTUNREACH', 'ENETUNREACH'],
];
const LOST = ['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];
const circle = new Error('round');
circle.cause = circle;
const refused = systemError('ECONNREFUSED');

/** What `fetch` throws, or the cause of the error that it throws. */
const THROWN: readonly (readonly [what: string, thrown: unknown])[] = [
  ...CODES.map((code) => [code, systemError(code)] as const),
  ['a failed lookup', systemError('EAI_FAIL', 'getaddrinfo EAI_FAIL x.example', { syscall: 'getaddrinfo' })],
  ...['ETIMEDOUT', 'EHOSTUNREACH'].map((code) => [`${code} of connect`, connecting(code)] as const),
  ['two addresses refused', new AggregateError([refused, systemError('ECONNREFUSED', 'connect ::1:1')])],
  ['one address refused, one reset', new AggregateError([refused, systemError('ECONNRESET')])],
  ['no tunnel', systemError('UND_ERR_ABORTED', 'Proxy response (502) !== 200 when HTTP Tunneling')],
  ['no tunnel without a password', systemError('UND_ERR_ABORTED', 'Proxy response (407) !== 200')],
  ...[...LOST, 'UND_ERR_HEADERS_TIMEOUT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UND_ERR_ABORTED'].map(
    (code) => [`${code} of a tunnel`, ofTunnel(code)] as const,
  ),
  ['UND_ERR_SOCKET of a GET', ofTunnel('UND_ERR_SOCKET', 'GET')],
  ['ECONNRESET of a POST', ofTunnel('ECONNRESET', 'POST')],
  ['no error', 'text'],
  ['an error without a code', new TypeError('fetch failed')],
  ['an empty list of errors', new AggregateError([])],
  ['an error that is its own cause', circle],
];

test('each error of a connection has a cause, and shows whether the request may have been sent', async () => {
  const lines = THROWN.map(([what, thrown]) => {
    const read = readConnectionError(new TypeError('fetch failed', { cause: thrown }));
    return `${what}: ${read.cause}, sent: ${read.sent}, ${read.detail}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/connection-error.txt');
  for (const thrown of ['text', undefined, circle])
    expect(readConnectionError(thrown)).toMatchObject({ sent: 'unknown', cause: 'other' });
});
