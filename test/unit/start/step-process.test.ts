import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const STEP = path.join(import.meta.dirname, 'read-answers.ts');
const BODY = JSON.stringify({ a: 1 });
const LARGE = JSON.stringify({ a: randomBytes(300_000).toString('hex') });

function encoded(coding: string, body: Buffer | string) {
  return (response: ServerResponse) => response.writeHead(200, { 'content-encoding': coding }).end(body);
}

/** Ends the answer by closing the connection, which Node cannot handle while it decompresses a large body. */
function untilClosed(coding: string, body: Buffer) {
  return ({ socket }: ServerResponse) => {
    socket?.write(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: ${coding}\r\n\r\n`);
    socket?.end(body);
  };
}

const ANSWERS: readonly (readonly [
  what: string,
  answer: (response: ServerResponse) => void,
  ends: RegExp,
])[] = [
  ['six layers', encoded(Array(6).fill('gzip').join(', '), gzipSync(BODY)), /^unreachable$/],
  ['a hundred layers', encoded(Array(100).fill('br').join(','), brotliCompressSync(BODY)), /^unreachable$/],
  ['two layers in place of one', encoded('gzip, gzip', gzipSync(BODY)), /^unreachable$/],
  ['no compression', encoded('br', BODY), /^unreachable$/],
  ['an incomplete body', encoded('zstd', zstdCompressSync(BODY).subarray(0, -5)), /^unreachable$/],
  ['an empty body', encoded('zstd', ''), /^unreachable$/],
  ['an unknown coding', encoded('compress', gzipSync(BODY)), /^invalid$/],
  ['a body that ends with the connection', untilClosed('gzip', gzipSync(LARGE)), /^(?:ok|unreachable)$/],
  ['one layer', encoded('gzip', gzipSync(BODY)), /^ok$/],
];

test('an answer with an odd `Content-Encoding` does not end the step', async () => {
  const server = createServer((request, response) => ANSWERS[Number(request.url?.slice(1))]?.[1](response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const paths = ANSWERS.map((_answer, index) => `/${index}`);

  const { stdout } = await run(process.execPath, [STEP, `http://127.0.0.1:${address.port}`, ...paths]);
  const ends = stdout.trim().split(' ');
  expect(ends).toHaveLength(ANSWERS.length);
  for (const [index, [what, , expected]] of ANSWERS.entries()) expect(ends[index], what).toMatch(expected);
});
