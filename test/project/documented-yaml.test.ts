import { describe, expect, test } from 'vitest';
import { ACTIONS, read } from './code.ts';
import { codeBlocksOf, yamlProblems } from './documented-yaml.ts';
import { USER_PAGES } from './documents.ts';
import { copiedYaml, EXAMPLES } from './examples.ts';

const SELF_TEST = '.github/workflows/self-test.yml';
const YAML = [...copiedYaml(), [SELF_TEST, read(SELF_TEST)] as const];
const outputsIn = (text: string) =>
  [...text.matchAll(/steps\.scan(?:gate)?\.outputs\.([\w-]+)/g)].map(([, name = '']) => name);

describe('the YAML that users copy, and the self-test', () => {
  test('every code block that looks like a workflow is marked as YAML', () => {
    const blocks = USER_PAGES.flatMap((page) => codeBlocksOf(read(page)));
    const looksLikeWorkflow = blocks.filter(({ text }) => /^\s*(?:- )?(?:uses|runs-on|jobs):/m.test(text));
    expect(looksLikeWorkflow.length).toBeGreaterThan(1);
    expect(YAML.length - EXAMPLES.length).toBeGreaterThan(5);
    expect(looksLikeWorkflow.filter(({ language }) => !/^ya?ml$/.test(language))).toEqual([]);
  });

  test.each(YAML)(
    'the YAML in %s is valid, and uses only inputs and outputs that action.yml declares',
    (_place, text) => {
      expect(yamlProblems(text, ACTIONS)).toEqual([]);
      expect(outputsIn(text).filter((name) => !(name in ACTIONS[''].outputs))).toEqual([]);
    },
  );

  test('the self-test reads more than three outputs', () =>
    expect(outputsIn(read(SELF_TEST)).length).toBeGreaterThan(3));
});

describe('yamlProblems', () => {
  const action = { inputs: { 'base-url': { required: true }, comment: { required: false } }, outputs: {} };
  const workflow = (step: string, head = 'on: pull_request') =>
    `${head}\njobs:\n  gate:\n    runs-on: ubuntu-latest\n    steps:\n      - ${step}\n`;
  const sound = 'uses: scangate/scangate@v0\n        with: { base-url: https://scan.example/api/v1 }';

  const FRAGMENTS: Readonly<Record<string, string>> = {
    'a whole workflow': workflow(sound),
    'a fragment that says where it belongs': '# Replace `on` of the quick start:\non: merge_group\n',
    'steps without the required input': '- uses: scangate/scangate@v0\n  with: { comment: never }\n',
    inputs: 'comment: never\n',
    'a Dependabot configuration':
      'version: 2\nupdates:\n  - { package-ecosystem: github-actions, directory: /, schedule: { interval: weekly } }\n',
    'a step of another action': '- uses: actions/checkout@v9\n  with: { fetch-depth: 0 }\n',
    'a plain scalar that holds a colon': `- run: jq -n '{text: "page"}'\n`,
    'a key that occurs twice': 'comment: never\ncomment: always\n',
    'an unknown tag': 'comment: !x never\n',
    'a plain word': 'on\n',
    '`on` without `jobs`': 'on: pull_request\n',
    '`jobs` without `on`': workflow(sound, 'name: Gate'),
    'a fragment that has `jobs` without `on`': workflow(sound, '# Add to the quick start:'),
    'a job without `runs-on`': 'on: push\njobs: { gate: { steps: [{ run: ls }] } }\n',
    'a job without steps': 'on: push\njobs: { gate: { runs-on: x, steps: [] } }\n',
    'a step that does nothing': '- name: Nothing\n',
    'a step that does two things': '- { uses: ./, run: ls }\n',
    'an unknown input': '- uses: scangate/scangate@v0\n  with: { coment: never }\n',
    'an unknown input of the local action': '- { uses: ./, with: { x: 1 } }\n',
    'an unknown input by itself': 'coment: never\n',
    'an unknown sub-action': '- uses: scangate/scangate/doctr@v0\n',
    'a Dependabot configuration without `package-ecosystem`': 'version: 2\nupdates: [{ directory: / }]\n',
    'a missing required input': workflow('uses: scangate/scangate@v0'),
  };

  test('yamlProblems names what a user could not copy', async () => {
    const shown = Object.entries(FRAGMENTS).map(([name, text]) => {
      const problems = yamlProblems(text, { '': action }).map((problem) => problem.split('\n')[0]);
      return `${name}: ${problems.join(', ') || 'nothing is wrong'}\n`;
    });
    await expect(shown.join('')).toMatchFileSnapshot('golden/documented-yaml.txt');
  });
});
