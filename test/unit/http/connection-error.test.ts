import { describe, expect, test } from 'vitest';
import { readConnectionError } from '../../../src/http/connection-error.ts';

function systemError(code: string, message = code, extra: object = {}): Error {
  return Object.assign(new Error(message), { code, ...extra });
}

/** An error as Node's fetch throws it. */
function fetchFailed(cause: unknown): Error {
  return new TypeError('fetch failed', { cause });
}

describe('an error of fetch', () => {
  test.each([
    ['ENOTFOUND', 'no', 'dns'],
    ['EAI_AGAIN', 'no', 'dns'],
    ['ECONNREFUSED', 'no', 'refused'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no', 'connect-timeout'],
    ['ECONNRESET', 'unknown', 'reset'],
    ['EPIPE', 'unknown', 'reset'],
    ['UND_ERR_SOCKET', 'unknown', 'reset'],
    ['ETIMEDOUT', 'unknown', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'unknown', 'timeout'],
    ['EPROTO', 'unknown', 'other'],
    ['A_CODE_OF_TOMORROW', 'unknown', 'other'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'no', 'certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'no', 'certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'no', 'certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'no', 'certificate'],
    ['CERT_HAS_EXPIRED', 'no', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'no', 'certificate'],
  ])('for the error code %s, `sent` is `%s` and `cause` is `%s`', (code, sent, cause) => {
    expect(readConnectionError(fetchFailed(systemError(code)))).toMatchObject({ sent, cause });
  });

  test('a request counts as not sent if the host name was not resolved', () => {
    const error = systemError('EAI_FAIL', 'getaddrinfo EAI_FAIL scan.example', { syscall: 'getaddrinfo' });
    expect(readConnectionError(fetchFailed(error))).toMatchObject({ sent: 'no', cause: 'dns' });
  });

  test('a request counts as not sent if the system call `connect` timed out', () => {
    const error = systemError('ETIMEDOUT', 'connect ETIMEDOUT 192.0.2.1:443', { syscall: 'connect' });
    expect(readConnectionError(fetchFailed(error))).toEqual({
      sent: 'no',
      cause: 'connect-timeout',
      detail: 'connect ETIMEDOUT 192.0.2.1:443',
    });
  });

  test('a request counts as possibly sent if one of several addresses may have received it', () => {
    const refused = systemError('ECONNREFUSED');
    const both = new AggregateError([refused, systemError('ECONNREFUSED', 'connect ECONNREFUSED ::1:1')]);
    expect(readConnectionError(fetchFailed(both))).toMatchObject({ sent: 'no', cause: 'refused' });
    const mixed = new AggregateError([refused, systemError('ECONNRESET')]);
    expect(readConnectionError(fetchFailed(mixed))).toMatchObject({ sent: 'unknown', cause: 'reset' });
  });

  test.each([
    ['refuses the tunnel', 'UND_ERR_ABORTED', 'Proxy response (502) !== 200 when HTTP Tunneling', 'proxy'],
    [
      'wants a password',
      'UND_ERR_ABORTED',
      'Proxy response (407) !== 200 when HTTP Tunneling',
      'proxy-credentials',
    ],
    ['makes no tunnel', 'UND_ERR_PRX_CONN', 'other side closed', 'proxy'],
    ['shows an invalid certificate', 'UND_ERR_PRX_TLS', 'TLS', 'proxy'],
  ])('a request counts as not sent if the proxy %s', (_what, code, message, cause) => {
    const error = systemError(code, message);
    expect(readConnectionError(fetchFailed(error))).toMatchObject({ sent: 'no', cause });
  });

  test('a request counts as possibly sent if the thrown value shows no usable cause', () => {
    const circle = new Error('round');
    circle.cause = circle;
    for (const thrown of ['text', undefined, new TypeError('fetch failed'), new AggregateError([]), circle]) {
      expect(readConnectionError(thrown)).toMatchObject({ sent: 'unknown', cause: 'other' });
    }
  });
});
