import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentPairs } from '../../sandbox/runner/environment-file.ts';
import { writeDoctorOutputs } from '../../src/deliver/outputs.ts';
import { CHECKS } from '../../src/doctor/row.ts';
import { REASONS } from '../../src/domain/result.ts';
import { INPUT_DEFAULTS } from '../../src/runner/input-forms.ts';
import { readInputs } from '../../src/runner/inputs.ts';
import { OUTPUT_NAMES } from '../support/output-names.ts';
import { runnerFile } from '../support/runner-files.ts';
import { codeSpansOf, readPage, sectionsOf, tableUnder, USER_PAGES } from './documents.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The Marketplace refuses longer descriptions. */
const LONGEST_DESCRIPTION = 124;

const Action = v.object({
  description: v.pipe(v.string(), v.minLength(1)),
  inputs: v.record(
    v.string(),
    v.object({ description: v.string(), required: v.optional(v.boolean()), default: v.optional(v.string()) }),
  ),
  outputs: v.record(v.string(), v.object({ description: v.string() })),
  runs: v.object({ using: v.string(), main: v.string(), post: v.string(), 'post-if': v.string() }),
});
/** The `action.yml` of a sub-action, which must not have a `post` step. */
const SubAction = v.object({
  ...Action.entries,
  runs: v.strictObject({ using: v.string(), main: v.string() }),
});
/** The events and the concurrency of a documented workflow. */
const Trigger = v.object({
  on: v.object({
    pull_request: v.strictObject({
      branches: v.pipe(v.array(v.string()), v.minLength(1)),
      types: v.optional(v.array(v.string())),
    }),
  }),
  concurrency: v.object({ 'cancel-in-progress': v.string() }),
});
const OnPullRequest = v.object({ on: v.object({ pull_request: v.unknown() }) });
const action = v.parse(Action, parse(read('action.yml')));
const doctor = v.parse(SubAction, parse(read('doctor/action.yml')));
const readme = readPage('README.md');
/** Pages whose workflows run a sub-action, and not the gate. Each of these pages has a test of its own. */
const OF_SUB_ACTIONS: ReadonlySet<string> = new Set(['docs/triage.md']);
const documents = USER_PAGES.filter((page) => !OF_SUB_ACTIONS.has(page))
  .map(readPage)
  .join('\n');

/** Evaluates a workflow's `cancel-in-progress`. The documented expressions mean the same in JavaScript. */
function evaluate({ 'cancel-in-progress': text }: { 'cancel-in-progress': string }, github: object): unknown {
  const expression = /^\$\{\{ (.+) \}\}$/.exec(text)?.[1] ?? 'undefined';
  return runInNewContext(expression, { github });
}

describe('the public interface', () => {
  test('action.yml has a description that the Marketplace accepts', () => {
    expect(action.description.length).toBeLessThanOrEqual(LONGEST_DESCRIPTION);
  });

  test('action.yml has exactly the inputs that the code reads', () => {
    const asked = new Set<string>();
    readInputs('/workspace', {
      getInput: (name) => {
        asked.add(name);
        return '';
      },
      setSecret: () => {},
    });
    expect([...asked].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  test('action.yml has exactly the outputs that the code writes', () => {
    expect(Object.keys(action.outputs)).toEqual(OUTPUT_NAMES);
  });

  test('the code has the same defaults of inputs as action.yml', () => {
    const declared = Object.entries(action.inputs).flatMap(([name, input]) =>
      input.default === undefined || input.default.startsWith('${{') ? [] : [[name, input.default]],
    );
    expect(Object.fromEntries(declared)).toEqual(INPUT_DEFAULTS);
  });

  test("the README's table names the inputs that most users need, with their defaults", () => {
    const table = tableUnder(readme, 'Inputs');
    expect([...table.keys()]).toEqual([
      'base-url',
      'api-token',
      'fail-on',
      'allow-unscanned',
      'paths-exempt',
      'comment',
    ]);
    for (const [name, [shown]] of table) {
      const value = action.inputs[name]?.default;
      if (value !== undefined) expect(shown, name).toContain(`\`${value}\``);
    }
  });

  test('docs/inputs.md explains every input with its default', () => {
    const page = readPage('docs/inputs.md');
    const sections = new Map(sectionsOf(page).map(({ title, body }) => [title, body]));
    expect([...page.matchAll(/^### `(.+)`$/gm)].map(([, name]) => name)).toEqual(Object.keys(action.inputs));
    for (const [name, input] of Object.entries(action.inputs)) {
      const said = sections.get(name) ?? '';
      expect(said.trim().length, name).toBeGreaterThan(30);
      if (input.default !== undefined) expect(said, name).toContain(`Default: \`${input.default}\``);
      if (input.required) expect(said, name).toContain('Required.');
    }
  });

  test('docs/inputs.md names every output', () => {
    expect([...tableUnder(readPage('docs/inputs.md'), 'Outputs').keys()]).toEqual(OUTPUT_NAMES);
  });

  test.each(['SECURITY.md', 'docs/permissions.md', 'docs/privacy.md'])(
    '%s names every file of a run wherever it names one',
    (page) => {
      const files = OUTPUT_NAMES.filter((name) => name.endsWith('-file') && name in action.inputs);
      const lines = readPage(page)
        .split('\n')
        .filter((line) => files.some((name) => line.includes(`\`${name}\``)));
      expect(lines).not.toEqual([]);
      for (const line of lines) expect(codeSpansOf(line), line).toEqual(expect.arrayContaining(files));
    },
  );

  test('docs/outcomes.md explains every reason and every outcome', () => {
    const page = readPage('docs/outcomes.md');
    expect([...tableUnder(page, 'Reasons').keys()].sort()).toEqual([...REASONS].sort());
    expect([...tableUnder(page, 'Outcomes').keys()]).toEqual([
      'passed',
      'blocked',
      'unchanged',
      'not-scanned',
    ]);
  });

  test('the quick start uses no variables, because forks do not get them', () => {
    const [, quickStart = ''] =
      /^```yaml\n([\s\S]*?)^```/m.exec(readme.split('## Quick start')[1] ?? '') ?? [];
    expect(quickStart).toMatch(/base-url: https:\/\/\S+\/api\/v1\n/);
    expect(quickStart).not.toContain('vars.');
  });

  const workflows = [...documents.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
    .map(([, text = '']) => text)
    .filter((text) => /^on:/m.test(text))
    .map((text): unknown => parse(text));
  const triggers = workflows
    .filter((workflow) => v.is(OnPullRequest, workflow))
    .map((workflow) => v.parse(Trigger, workflow));

  test('the documented workflows also start when the base branch of a pull request changes', () => {
    expect(triggers).not.toEqual([]);
    for (const { on } of triggers) {
      expect(on.pull_request.types).toEqual(['opened', 'synchronize', 'reopened', 'edited']);
    }
    // GitHub counts a skipped job as passed, so no job may have an `if`.
    expect(documents).not.toMatch(/^ {4}if:/m);
  });

  test.each([
    ['a push', true, { run_attempt: 1, event: { action: 'synchronize', changes: {} } }],
    ['a changed base', true, { run_attempt: 1, event: { action: 'edited', changes: { base: {} } } }],
    ['a new title', false, { run_attempt: 1, event: { action: 'edited', changes: {} } }],
    ['a re-run', false, { run_attempt: 2, event: { action: 'synchronize', changes: {} } }],
    [
      'a re-run for a changed base',
      false,
      { run_attempt: 2, event: { action: 'edited', changes: { base: {} } } },
    ],
  ])('in the documented workflows, `cancel-in-progress` for %s is %s', (_name, cancels, github) => {
    for (const { concurrency } of triggers) expect(evaluate(concurrency, github)).toBe(cancels);
  });

  test('each documented expression for the head of a pull request also gives the head of a merge group', () => {
    const heads = documents.match(/github\.event\.pull_request\.head\.sha[^}]*/g) ?? [];
    expect(heads).not.toEqual([]);
    for (const head of heads) expect(head).toContain(' || github.event.merge_group.head_sha');
  });

  test('the README links to the threat model, which mentions only files that exist', () => {
    expect(readme).toContain('[SECURITY.md](SECURITY.md)');
    const security = read('SECURITY.md');
    for (const heading of ['What is protected', 'Who is hostile', 'What is not promised'])
      expect(security).toContain(`### ${heading}\n`);
    const named = [...security.matchAll(/`((?:test|src)\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('the README has each picture for light and dark pages, with a description', () => {
    const pictures = [
      ...readme.matchAll(
        /^<picture>\n {2}<source media="\(prefers-color-scheme: dark\)" srcset="(.+)">\n {2}<img src="(.+)" alt="(.+)">\n<\/picture>$/gm,
      ),
    ].map(([, dark = '', light = '', text = '']) => ({ dark, light, text }));
    expect(pictures.flatMap(({ dark, light }) => [dark, light]).sort()).toEqual(
      readdirSync(path.join(root, '.github/pictures'))
        .map((file) => `.github/pictures/${file}`)
        .sort(),
    );
    for (const { dark, light, text } of pictures) {
      expect(text.length, light).toBeGreaterThan(30);
      expect(dark).toBe(light.replace('-light.png', '-dark.png'));
      for (const file of [dark, light])
        expect(readFileSync(path.join(root, file)).subarray(1, 4).toString(), file).toBe('PNG');
    }
  });

  test('the documented upload to code scanning pins its action, and cannot fail the job', () => {
    const recipe = /^```yaml\n([\s\S]*?)^```/m.exec(readPage('docs/code-scanning.md'))?.[1] ?? '';
    expect(parse(recipe)).toMatchObject({
      permissions: { 'security-events': 'write' },
      steps: [
        { id: 'scangate', with: { 'sarif-file': expect.any(String) } },
        {
          if: "always() && steps.scangate.outputs.sarif-file != ''",
          'continue-on-error': true,
          uses: expect.stringMatching(/^github\/codeql-action\/upload-sarif@[0-9a-f]{40}$/),
          with: { sarif_file: expect.stringContaining('steps.scangate.outputs.sarif-file') },
        },
      ],
    });
  });

  describe('the public interface of the doctor', () => {
    test('the doctor has the inputs of the gate, with the same names, descriptions and defaults', () => {
      expect(doctor.inputs).toEqual(action.inputs);
      expect(Object.keys(doctor.inputs)).toEqual(Object.keys(action.inputs));
      expect(doctor.description.length).toBeLessThanOrEqual(LONGEST_DESCRIPTION);
    });

    test('the doctor declares exactly the outputs that its code writes, and docs/doctor.md names them', () => {
      const file = runnerFile('GITHUB_OUTPUT');
      writeDoctorOutputs({ ready: false, problems: 3 });
      const written = new Map(environmentPairs(file()));
      expect([...written]).toEqual([
        ['ready', 'false'],
        ['problems', '3'],
      ]);
      expect([...written.keys()]).toEqual(Object.keys(doctor.outputs));
      expect([...tableUnder(readPage('docs/doctor.md'), 'Result').keys()]).toEqual(
        Object.keys(doctor.outputs),
      );
    });

    test('docs/doctor.md explains every check of the doctor, in the order of the code', () => {
      expect([...tableUnder(readPage('docs/doctor.md'), 'Checks').keys()]).toEqual([...CHECKS]);
    });

    test('doctor/action.yml names an entry that exists, and the Node.js version of the gate', () => {
      expect(read(path.posix.join('doctor', doctor.runs.main)).length).toBeGreaterThan(1000);
      expect(doctor.runs.using).toBe(action.runs.using);
    });

    test('the documented workflow of the doctor has only read permissions, and is started by hand', () => {
      const workflow = read('docs/examples/doctor.yml');
      expect(parse(workflow)).toMatchObject({
        on: 'workflow_dispatch',
        permissions: {},
        jobs: {
          doctor: {
            permissions: { contents: 'read', checks: 'read' },
            steps: [{ uses: 'scangate/scangate/doctor@v0' }],
          },
        },
      });
    });
  });

  test('action.yml refers to entries that exist, and to the Node.js version of the tests', () => {
    expect(read(action.runs.main).length).toBeGreaterThan(1000);
    expect(read(action.runs.post).length).toBeGreaterThan(1000);
    expect(action.runs['post-if']).toBe('always()');
    expect(`node${process.versions.node.split('.')[0]}`).toBe(action.runs.using);
  });
});
