import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { expectMasked, expectNothingLeaked } from '../support/driver/secrecy.ts';
import { prepare, runScenario } from './scenario.ts';

// The forms in which a token could appear in an output. The search for secrets has to find each form.
const FORMS: readonly [form: string, write: (token: string) => string][] = [
  ['as it is', (token) => token],
  ['its secret part', (token) => `…${token.slice(token.lastIndexOf('_') + 1)}`],
  ['in capitals', (token) => token.toUpperCase()],
  ['base64', (token) => Buffer.from(token).toString('base64')],
  ['base64 inside of a text', (token) => Buffer.from(`Bearer ${token}, please`).toString('base64')],
  ['base64, one character later', (token) => Buffer.from(`Bearer: ${token}, please`).toString('base64')],
  ['base64, two characters later', (token) => Buffer.from(`Bearer : ${token}`).toString('base64url')],
  ['hexadecimal', (token) => Buffer.from(token).toString('hex')],
];

test('the search for secrets finds a token in every form and place', async () => {
  const { environment, run, workspace } = await runScenario({ head: 'behind' });
  const { token } = environment.service;
  const check = (changed: Partial<typeof run>) =>
    expectNothingLeaked(environment, { ...run, ...changed }, { secrets: [token], folders: [workspace] });
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
  expect(() => expectMasked(environment, run, [token])).not.toThrow();
  expect(() => expectMasked(environment, { ...run, stdout: `early\n${run.stdout}` }, [token])).toThrow(
    'masked before anything else',
  );
});

test('the search for secrets finds a generated password everywhere except in the output `public-password`', async () => {
  const { environment, run } = await runScenario({ inputs: { publish: 'always' } });
  const { 'public-password': password = '' } = run.outputs;
  expect(password).not.toBe('');
  const check = (changed: Partial<typeof run>) =>
    expectNothingLeaked(environment, { ...run, ...changed }, { secrets: [], folders: [] });
  expect(() => check({})).not.toThrow();
  for (const written of [password, Buffer.from(`password: ${password}.`).toString('base64')]) {
    expect(() => check({ summary: written })).toThrow('summary');
    expect(() => check({ outputs: { ...run.outputs, 'public-url': written } })).toThrow('outputs');
  }
});

test('a run of the action in a test starts the search for secrets', async () => {
  const scenario = await prepare({ head: 'behind' });
  await expect(
    scenario.environment.run({ inputs: { 'check-name': `x ${scenario.environment.github.token}` } }),
  ).rejects.toThrow('places that hold a secret');
});
