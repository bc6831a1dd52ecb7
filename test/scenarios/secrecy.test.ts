import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { expectMasked, expectNothingLeaked } from '../support/driver/secrecy.ts';
import { prepare, tell } from './story.ts';

// The assertion that every other story leans on: it has to see a token wherever and however it is written.
const FORMS: readonly [form: string, write: (token: string) => string][] = [
  ['as it is', (token) => token],
  ['its secret part', (token) => `…${token.slice(token.lastIndexOf('_') + 1)}`],
  ['in capitals', (token) => token.toUpperCase()],
  ['base64', (token) => Buffer.from(token).toString('base64')],
  ['base64 inside of a text', (token) => Buffer.from(`Bearer ${token}, please`).toString('base64')],
  ['base64 one further', (token) => Buffer.from(`Bearer: ${token}, please`).toString('base64')],
  ['base64 two further', (token) => Buffer.from(`Bearer : ${token}`).toString('base64url')],
  ['hexadecimal', (token) => Buffer.from(token).toString('hex')],
];

test('a token is seen in every form and place', async () => {
  const { stage, run, workspace } = await tell({ head: 'behind' });
  const { token } = stage.service;
  const check = (changed: Partial<typeof run>) =>
    expectNothingLeaked(stage, { ...run, ...changed }, { secrets: [token], folders: [workspace] });
  expect(() => check({})).not.toThrow();
  for (const [form, write] of FORMS) {
    expect(() => check({ summary: `see ${write(token)}` }), form).toThrow('summary');
  }
  expect(() => check({ stdout: `${run.stdout}\nhello ${token}` })).toThrow('stdout');
  expect(() => check({ stderr: token })).toThrow('stderr');
  expect(() => check({ log: token })).toThrow('log');
  expect(() => check({ state: { any: token } })).toThrow('state');
  await writeFile(path.join(workspace, 'notes.txt'), token);
  expect(() => check({})).toThrow('notes.txt');
  expect(() => expectMasked(stage, run, [token])).not.toThrow();
  expect(() => expectMasked(stage, { ...run, stdout: `early\n${run.stdout}` }, [token])).toThrow(
    'masked before anything else',
  );
});

test('a generated password is seen everywhere but in its own output', async () => {
  const { stage, run } = await tell({ inputs: { publish: 'always' } });
  const { 'public-password': password = '' } = run.outputs;
  expect(password).not.toBe('');
  const check = (changed: Partial<typeof run>) =>
    expectNothingLeaked(stage, { ...run, ...changed }, { secrets: [], folders: [] });
  expect(() => check({})).not.toThrow();
  for (const written of [password, Buffer.from(`password: ${password}.`).toString('base64')]) {
    expect(() => check({ summary: written })).toThrow('summary');
    expect(() => check({ outputs: { ...run.outputs, 'public-url': written } })).toThrow('outputs');
  }
});

test('every run of the bundle is searched, also where a test does not ask for it', async () => {
  const scene = await prepare({ head: 'behind' });
  await expect(
    scene.stage.run({ inputs: { 'check-name': `x ${scene.stage.github.token}` } }),
  ).rejects.toThrow('places that hold a secret');
});
