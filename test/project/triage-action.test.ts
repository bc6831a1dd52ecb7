import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { REASON_CODES } from '../../src/domain/finding.ts';
import { readTriageInputs } from '../../src/runner/triage-inputs.ts';
import { CHANGE_COMMANDS, PREFIX } from '../../src/triage/command.ts';
import { readPage, tableUnder } from './documents.ts';

const root = path.resolve(import.meta.dirname, '../..');
const LONGEST_DESCRIPTION = 124;

const Input = v.strictObject({
  description: v.string(),
  required: v.optional(v.boolean()),
  default: v.optional(v.string()),
});
const Action = v.object({
  description: v.string(),
  inputs: v.record(v.string(), Input),
  outputs: v.record(v.string(), v.object({ description: v.string() })),
  runs: v.strictObject({ using: v.string(), main: v.string() }),
});
const Workflow = v.strictObject({
  name: v.string(),
  on: v.strictObject({
    schedule: v.array(v.object({ cron: v.string() })),
    workflow_dispatch: v.null(),
    issue_comment: v.optional(v.strictObject({ types: v.array(v.string()) })),
  }),
  permissions: v.strictObject({}),
  jobs: v.strictObject({
    triage: v.strictObject({
      environment: v.optional(v.literal('scangate-triage')),
      if: v.optional(v.string()),
      'runs-on': v.string(),
      concurrency: v.optional(v.strictObject({ group: v.string(), queue: v.string() })),
      permissions: v.record(v.string(), v.string()),
      steps: v.array(v.object({ uses: v.string(), with: v.record(v.string(), v.string()) })),
    }),
  }),
});

const read = (file: string): unknown => parse(readFileSync(path.join(root, file), 'utf8'));
const action = v.parse(Action, read('triage/action.yml'));
const gate = v.parse(v.object({ inputs: v.record(v.string(), Input) }), read('action.yml'));
const page = readPage('docs/triage.md');

describe('triage/action.yml', () => {
  test('triage/action.yml declares exactly the inputs that the code reads', () => {
    const asked = new Set<string>();
    readTriageInputs({
      getInput: (name) => {
        asked.add(name);
        return '';
      },
      setSecret: () => {},
    });
    expect([...asked].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  test('three inputs belong only to triage/action.yml, and the others have the defaults of the gate', () => {
    for (const [name, input] of Object.entries(action.inputs)) {
      if (name === 'job-name' || name === 'triage-token') expect(input.default).toBeUndefined();
      else if (name === 'who') expect(input.default).toBe('others');
      else expect(input.default, name).toBe(gate.inputs[name]?.default);
    }
    expect(Object.keys(action.inputs).filter((name) => !(name in gate.inputs))).toEqual([
      'job-name',
      'triage-token',
      'who',
    ]);
  });

  test('triage/action.yml has one output, a short description, and an entry file that the build creates', () => {
    expect(Object.keys(action.outputs)).toEqual(['rerun']);
    expect(action.description.length).toBeLessThanOrEqual(LONGEST_DESCRIPTION);
    // GitHub resolves the path in `main` from the folder of `action.yml`.
    const entry = path.posix.join('triage', action.runs.main);
    expect(entry).toBe('dist/triage/index.js');
    expect(readFileSync(path.join(root, 'scripts/build.ts'), 'utf8')).toContain("['triage.js', 'triage']");
    expect(action.runs.using).toBe(`node${process.versions.node.split('.')[0]}`);
  });

  test('docs/triage.md explains every input of triage/action.yml', () => {
    const table = tableUnder(page, 'Inputs');
    expect([...table.keys()]).toEqual(Object.keys(action.inputs));
    for (const [name, { default: value, required }] of Object.entries(action.inputs)) {
      if (value !== undefined) expect(table.get(name)?.[0], name).toContain(value);
      if (required === true) expect(table.get(name)?.[0], name).toBe('required');
    }
  });
});

test('each message `Nothing to do: …` in docs/triage.md is in the code', () => {
  const code = ['src/triage/command.ts', 'src/triage/run.ts']
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the code has it.
    .replaceAll('${PREFIX}', PREFIX);
  const quoted = [...page.matchAll(/`Nothing to do: ([^`]+)`/g)].map(([, why = '']) => why);
  expect(quoted.length).toBeGreaterThanOrEqual(4);
  for (const why of quoted) expect(code).toContain(why);
});

describe('the documented workflows of the triage action', () => {
  const workflows = ['triage-recheck', 'triage'].map((name) =>
    v.parse(Workflow, read(`docs/examples/${name}.yml`)),
  );
  const [byComment, byChange] = workflows;

  test('a new comment starts both documented workflows, and one command of a pull request runs at a time', () => {
    expect(workflows).toHaveLength(2);
    expect(byComment?.on.issue_comment).toEqual({ types: ['created'] });
    expect(byChange?.on).toEqual(byComment?.on);
    expect(byChange?.jobs.triage.if).toBe(byComment?.jobs.triage.if);
    expect(byChange?.jobs.triage.concurrency).toEqual({
      group: `scangate-triage-\${{ github.event.issue.number || github.run_id }}`,
      queue: 'max',
    });
  });

  test('the documented workflows of the triage action start twice an hour', () => {
    for (const { on } of workflows) {
      const [minutes = '', ...rest] = on.schedule[0]?.cron.split(' ') ?? [];
      expect(
        minutes
          .split(',')
          .map(Number)
          .toSorted((a, b) => a - b),
      ).toHaveLength(2);
      expect(minutes.split(',')).not.toContain('0');
      expect(rest).toEqual(['*', '*', '*', '*']);
    }
  });

  test('the documented workflows of the triage action grant only the permissions that the triage action needs', () => {
    for (const { jobs } of workflows) {
      expect(jobs.triage.permissions).toEqual({
        actions: 'write',
        checks: 'read',
        contents: 'read',
        'pull-requests': 'write',
      });
      expect(jobs.triage.steps.map(({ uses }) => uses)).toEqual(['scangate/scangate/triage@v0']);
    }
  });

  test('docs/triage.md mentions every command and every reason code', () => {
    for (const word of Object.keys(CHANGE_COMMANDS)) expect(page).toContain(`\`/scangate ${word} `);
    for (const code of Object.values(REASON_CODES).flat()) expect(page).toContain(`\`${code}\``);
  });

  test('a comment starts a runner only if it is a command on a pull request', () => {
    expect(byComment?.jobs.triage.if).toBe(
      `github.event_name != 'issue_comment' || (github.event.issue.pull_request && startsWith(github.event.comment.body, '${PREFIX}'))`,
    );
  });
});
