import { afterEach, expect, test } from 'vitest';
import { readWorkflowFiles } from '../../../src/github/workflow-files.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';

const FOLDER = '/repos/acme/shop/contents/.github%2Fworkflows';
const list = `${FOLDER}?ref=${SHA.head}`;
const file = (name: string) => `${FOLDER}%2F${name}?ref=${SHA.head}`;
const entry = (name: string, type = 'file') => ({ type, path: `.github/workflows/${name}` });
const content = (text: string) => ({
  encoding: 'base64',
  content: `${Buffer.from(text).toString('base64')}\n`,
});
const read = () => readWorkflowFiles(client(), SHA.head, NEVER_ABORTED);

afterEach(expectNoAnswerLeft);

test('only YAML files in the workflow folder are read, and a file named after Scangate comes first', async () => {
  github()
    .get(list)
    .reply(200, [entry('ci.yml'), entry('notes.md'), entry('old', 'dir'), entry('scangate.yaml')]);
  github().get(file('ci.yml')).reply(200, content('a'));
  github().get(file('scangate.yaml')).reply(200, content('ä'));
  expect(await read()).toEqual({
    ok: true,
    value: {
      complete: true,
      files: [
        { path: '.github/workflows/scangate.yaml', text: 'ä' },
        { path: '.github/workflows/ci.yml', text: 'a' },
      ],
    },
  });
});

test('at most 30 workflow files are read', async () => {
  const names = Array.from({ length: 31 }, (_, index) => `w${index}.yml`);
  github()
    .get(list)
    .reply(
      200,
      names.map((name) => entry(name)),
    );
  for (const name of names.slice(0, 30)) github().get(file(name)).reply(200, content(name));
  const files = await read();
  expect(files).toMatchObject({ ok: true, value: { complete: false } });
  expect(files.ok && files.value.files).toHaveLength(30);
});
