import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../sandbox/command-line.ts';
import { banner } from '../../../sandbox/serve/banner.ts';
import { keepPort, keptPort } from '../../../sandbox/serve/kept-port.ts';
import { type Listening, listen } from '../../../sandbox/serve/listen.ts';

async function folder(): Promise<string> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'scangate-port-'));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  return dataFolder;
}

/** A port on which another program listens. */
async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => other.close(() => resolve())));
  const address = other.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function once(options: { dataFolder?: string; port?: number }): Promise<Listening & { port: number }> {
  const listening = await listen({
    repositories: [{ owner: 'acme', name: 'shop', gitDir: '.' }],
    ...options,
  });
  await listening.service.close();
  return { ...listening, port: Number(new URL(listening.service.origin).port) };
}

test('the sandbox stores its port in the data folder, and uses that port at the next start', async () => {
  const dataFolder = await folder();
  const { port } = await once({ dataFolder });
  expect(await once({ dataFolder })).toMatchObject({ port, moved: undefined });
  const other = await once({ dataFolder, port: 0 });
  expect(other.moved).toBeUndefined();
  expect((await once({ dataFolder })).port).toBe(other.port);
});

test('if another program uses the stored port, the sandbox reports this, and stores a new port', async () => {
  const dataFolder = await folder();
  const taken = await takenPort();
  keepPort(dataFolder, taken);
  const { service, port, moved } = await once({ dataFolder });
  expect(port).not.toBe(taken);
  expect(moved).toBe(taken);
  expect(banner(service, moved)).toContain(`The last port, ${taken}, is not available`);
  expect(banner(service)).not.toContain('The last port');
  expect(await once({ dataFolder })).toMatchObject({ port, moved: undefined });
});

test('the sandbox stops if another program uses the port that an option names', async () => {
  const dataFolder = await folder();
  keepPort(dataFolder, 50_000);
  const taken = await takenPort();
  await expect(once({ dataFolder, port: taken })).rejects.toThrow(UsageError);
  expect(keptPort(dataFolder)).toBe(50_000);
});

test.each(['', '0', '65536', '-1', '80 81', 'x', '1e3'])(
  'the sandbox ignores a stored port that is %j',
  async (text) => {
    const dataFolder = await folder();
    expect(keptPort(dataFolder)).toBeUndefined();
    await writeFile(path.join(dataFolder, 'port'), text);
    expect(keptPort(dataFolder)).toBeUndefined();
    keepPort(dataFolder, 8080);
    expect(keptPort(dataFolder)).toBe(8080);
    expect(await readFile(path.join(dataFolder, 'port'), 'utf8')).toBe('8080\n');
  },
);
