import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentPairs } from '../../sandbox/runner/environment-file.ts';
import { writeDoctorOutputs } from '../../src/deliver/outputs.ts';
import { INPUT_DEFAULTS } from '../../src/runner/input-forms.ts';
import { readInputs } from '../../src/runner/inputs.ts';
import { readTriageInputs } from '../../src/runner/triage-inputs.ts';
import { PREFIX } from '../../src/triage/command.ts';
import { OUTPUT_NAMES } from '../support/output-names.ts';
import { runnerFile } from '../support/runner-files.ts';
import { ACTIONS, exists, filesIn, read } from './code.ts';
import { codeBlocksOf } from './documented-yaml.ts';
import { sectionUnder, USER_PAGES } from './documents.ts';

/** The Marketplace refuses longer descriptions. */
const LONGEST_DESCRIPTION = 124;

const { '': gate, doctor, triage } = ACTIONS;
const readme = read('README.md');
const yamlIn = (page: string) => codeBlocksOf(page).filter(({ language }) => language === 'yaml');
/** Pages whose workflows run a sub-action, and not the gate. */
const OF_SUB_ACTIONS: ReadonlySet<string> = new Set(['docs/triage.md']);
const documents = USER_PAGES.filter((page) => !OF_SUB_ACTIONS.has(page))
  .map(read)
  .join('\n');

/** The inputs for which a function asks, sorted. */
function asked(ask: (source: { getInput(name: string): string; setSecret(): void }) => unknown) {
  const names = new Set<string>();
  const getInput = (name: string) => {
    names.add(name);
    return '';
  };
  ask({ getInput, setSecret: () => {} });
  return [...names].sort();
}

describe('the manifests of the actions', () => {
  test.each([
    ['action.yml', gate.inputs, asked((source) => readInputs('/workspace', source))],
    ['triage/action.yml', triage.inputs, asked(readTriageInputs)],
  ])('%s has exactly the inputs that the code reads', (_file, inputs, names) => {
    expect(names).toEqual(Object.keys(inputs).sort());
  });

  test.each(Object.entries(ACTIONS))(
    'the action %j has a short description, and an entry file that the build creates',
    (folder, { description, runs }) => {
      expect(description.length).toBeLessThanOrEqual(LONGEST_DESCRIPTION);
      // GitHub resolves the path in `main` from the folder of `action.yml`.
      expect(path.posix.join(folder, runs.main)).toBe(path.posix.join('dist', folder, 'index.js'));
      expect(read(path.posix.join(folder, runs.main)).length).toBeGreaterThan(1000);
      expect(read('scripts/build.ts')).toContain(`['${folder || 'main'}.js', '${folder}']`);
      expect(runs.using).toBe(`node${process.versions.node.split('.')[0]}`);
    },
  );

  test('action.yml always runs its `post` step', () => {
    expect(read(gate.runs.post).length).toBeGreaterThan(1000);
    expect(gate.runs['post-if']).toBe('always()');
  });

  test('action.yml has exactly the outputs that the code writes', () => {
    expect(Object.keys(gate.outputs)).toEqual(OUTPUT_NAMES);
    expect(Object.keys(triage.outputs)).toEqual(['rerun']);
  });

  test('doctor/action.yml has exactly the outputs that the code writes', () => {
    const file = runnerFile('GITHUB_OUTPUT');
    writeDoctorOutputs({ ready: false, problems: 3 });
    const written = [...environmentPairs(file())];
    expect(written).toEqual([
      ['ready', 'false'],
      ['problems', '3'],
    ]);
    expect(written.map(([name]) => name)).toEqual(Object.keys(doctor.outputs));
  });

  test('the code has the same defaults of inputs as action.yml', () => {
    const declared = Object.entries(gate.inputs).flatMap(([name, input]) =>
      input.default === undefined || input.default.startsWith('${{') ? [] : [[name, input.default]],
    );
    expect(Object.fromEntries(declared)).toEqual(INPUT_DEFAULTS);
  });

  test('the doctor has the inputs of the gate, with the same names, descriptions and defaults', () => {
    expect(Object.entries(doctor.inputs)).toEqual(Object.entries(gate.inputs));
  });

  test('three inputs belong only to triage/action.yml, and the others have the defaults of the gate', () => {
    const defaults = (inputs: typeof triage.inputs) =>
      new Map(Object.entries(inputs).map(([name, one]) => [name, one.default]));
    const ofGate = defaults(gate.inputs);
    expect(
      [...defaults(triage.inputs)].filter(([name, value]) => !ofGate.has(name) || ofGate.get(name) !== value),
    ).toEqual([
      ['job-name', undefined],
      ['triage-token', undefined],
      ['who', 'others'],
    ]);
  });
});

describe('the pages about the public interface', () => {
  test('the quick start uses no variables, because forks do not get them', () => {
    const [quickStart] = yamlIn(sectionUnder(readme, 'Quick start'));
    expect(quickStart?.text).toMatch(/base-url: https:\/\/\S+\/api\/v1\n/);
    expect(quickStart?.text).not.toContain('vars.');
  });

  test('the README links to the threat model, which mentions only files that exist', () => {
    expect(readme).toContain('[SECURITY.md](SECURITY.md)');
    const security = read('SECURITY.md');
    for (const heading of ['What is protected', 'Who is hostile', 'What is not promised'])
      expect(security).toContain(`### ${heading}\n`);
    const named = [...security.matchAll(/`((?:test|src)\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((file) => !exists(file))).toEqual([]);
  });

  test('the README has each picture for light and dark pages, with a description', () => {
    const pictures = readme.matchAll(
      /^<picture>\n {2}<source media="\(prefers-color-scheme: dark\)" srcset="(.+)-dark.png">\n {2}<img src="\1-light.png" alt=".{30,}">\n<\/picture>$/gm,
    );
    const files = [...pictures].flatMap(([, name]) => [`${name}-dark.png`, `${name}-light.png`]);
    expect(files.sort()).toEqual(filesIn('.github/pictures/*'));
  });
});

describe('the documented workflows', () => {
  // GitHub counts a skipped job as passed.
  test('no documented job has an `if`', () => expect(documents).not.toMatch(/^ {4}if:/m));

  test('each documented expression for the head of a pull request also gives the head of a merge group', () => {
    const heads = documents.match(/github\.event\.pull_request\.head\.sha[^}]*/g) ?? [];
    expect(heads).not.toEqual([]);
    for (const head of heads) expect(head).toContain(' || github.event.merge_group.head_sha');
  });

  test('the documented upload to code scanning pins its action, and cannot fail the job', () => {
    const [recipe] = yamlIn(read('docs/code-scanning.md'));
    expect(parse(recipe?.text ?? '')).toMatchObject({
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

  test('the documented workflow of the doctor has only read permissions, and is started by hand', () => {
    expect(parse(read('docs/examples/doctor.yml'))).toMatchObject({
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

  test('the workflows of the triage action start twice an hour and for commands, and grant only what it needs', () => {
    const on = {
      schedule: [{ cron: expect.stringMatching(/^[1-9]\d?,[1-9]\d? \* \* \* \*$/) }],
      workflow_dispatch: null,
      issue_comment: { types: ['created'] },
    };
    const job = {
      // A comment starts a runner only if it is a command on a pull request.
      if: `github.event_name != 'issue_comment' || (github.event.issue.pull_request && startsWith(github.event.comment.body, '${PREFIX}'))`,
      'runs-on': expect.any(String),
      permissions: { actions: 'write', checks: 'read', contents: 'read', 'pull-requests': 'write' },
      steps: [{ uses: 'scangate/scangate/triage@v0', with: expect.any(Object) }],
    };
    const workflow = (triageJob: object) => ({
      name: expect.any(String),
      on,
      permissions: {},
      jobs: { triage: triageJob },
    });
    expect(parse(read('docs/examples/triage-recheck.yml'))).toEqual(workflow(job));
    expect(parse(read('docs/examples/triage.yml'))).toEqual(
      workflow({
        ...job,
        environment: 'scangate-triage',
        // One command of a pull request runs at a time, and none is dropped.
        concurrency: {
          group: `scangate-triage-\${{ github.event.issue.number || github.run_id }}`,
          queue: 'max',
        },
      }),
    );
  });
});
