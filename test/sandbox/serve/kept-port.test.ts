import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../sandbox/command-line.ts';
import { banner } from '../../../sandbox/serve/banner.ts';
import { keepPort, keptPort } from '../../../sandbox/serve/kept-port.ts';
import { listen } from '../../../sandbox/serve/listen.ts';
import { at } from '../play.ts';

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'scangate-port-'));
  return () => rm(dataFolder, { recursive: true });
});

/** A port on which another program listens. */
async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => other.close(() => resolve())));
  return Number(at(other.address(), 'port'));
}

/** Starts and stops the sandbox. Returns the port that it used. */
async function once(port?: number) {
  const repositories = [{ owner: 'acme', name: 'shop', gitDir: '.' }];
  const { service, moved } = await listen({
    repositories,
    dataFolder,
    ...(port === undefined ? {} : { port }),
  });
  await service.close();
  return { service, moved, port: Number(new URL(service.origin).port) };
}

test('the sandbox stores its port in the data folder, and uses that port at the next start', async () => {
  const { port } = await once();
  expect(await once()).toMatchObject({ port, moved: undefined });
  const other = await once(0);
  expect(other.moved).toBeUndefined();
  expect((await once()).port).toBe(other.port);
});

test('if another program uses the stored port, the sandbox reports this, and stores a new port', async () => {
  const taken = await takenPort();
  keepPort(dataFolder, taken);
  const { service, port, moved } = await once();
  expect(port).not.toBe(taken);
  expect(moved).toBe(taken);
  expect(banner(service, moved)).toContain(`The last port, ${taken}, is not available`);
  expect(banner(service)).not.toContain('The last port');
  expect(await once()).toMatchObject({ port, moved: undefined });
});

test('the sandbox stops if another program uses the port that an option names', async () => {
  keepPort(dataFolder, 50_000);
  await expect(once(await takenPort())).rejects.toThrow(UsageError);
  expect(keptPort(dataFolder)).toBe(50_000);
});

test.each(['', '0', '65536', '-1', '80 81', 'x', '1e3'])(
  'the sandbox ignores a stored port that is %j',
  async (text) => {
    const file = path.join(dataFolder, 'port');
    expect(keptPort(dataFolder)).toBeUndefined();
    await writeFile(file, text);
    expect(keptPort(dataFolder)).toBeUndefined();
    keepPort(dataFolder, 8080);
    expect(keptPort(dataFolder)).toBe(8080);
    expect(await readFile(file, 'utf8')).toBe('8080\n');
  },
);
