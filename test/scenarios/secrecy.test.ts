import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { expectSecretsKept } from './secrecy.ts';
import { tell } from './story.ts';

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
    expectSecretsKept(stage, { ...run, ...changed }, { secrets: [token], folders: [workspace] });
  await expect(check({})).resolves.toBeUndefined();
  for (const [form, write] of FORMS) {
    await expect(check({ summary: `see ${write(token)}` }), form).rejects.toThrow('secrets in summary');
  }
  await expect(check({ stdout: `${run.stdout}\nhello ${token}` })).rejects.toThrow('secrets in stdout');
  await expect(check({ stderr: token })).rejects.toThrow('secrets in stderr');
  await expect(check({ log: token })).rejects.toThrow('secrets in log');
  await expect(check({ state: { any: token } })).rejects.toThrow('secrets in state');
  await expect(check({ stdout: `early\n${run.stdout}` })).rejects.toThrow('masked before anything else');
  await writeFile(path.join(workspace, 'notes.txt'), token);
  await expect(check({})).rejects.toThrow('notes.txt');
});
