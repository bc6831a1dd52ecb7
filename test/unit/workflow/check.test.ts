import { describe, expect, test } from 'vitest';
import {
  callableGateJobs,
  checksOf,
  gateChecks,
  isNamed,
  mentionsGate,
  readWorkflows,
  stepsUsing,
} from '../../../src/workflow/check.ts';
import { gapsOf } from '../../../src/workflow/gaps.ts';
import { readWorkflow } from '../../../src/workflow/workflow.ts';

const SOURCE = { repository: 'acme/shop', branch: 'main' };
const STEP = '    steps:\n      - uses: scangate/scangate@v0\n';
const workflow = (jobs: string, events = 'on: [pull_request]') => `${events}\njobs:\n${jobs}`;
const inFiles = (files: Readonly<Record<string, string>>) =>
  readWorkflows(Object.entries(files).map(([name, text]) => ({ path: `.github/workflows/${name}`, text })));
const gatesOf = (text: string) => gateChecks(checksOf(inFiles({ 'w.yml': text }).readable, SOURCE));
const namesOf = (text: string) => gatesOf(text).map(({ names }) => names);
const expression = (text: string) => `\${{ ${text} }}`;

describe('the names of the check', () => {
  test.each([
    ['the id', `  gate:\n${STEP}`, ['gate']],
    ['the name', `  gate:\n    name: Security gate # ours\n${STEP}`, ['Security gate']],
    ['a quoted name', `  gate:\n    name: 'A "name"'\n${STEP}`, ['A "name"']],
    ['a name in a block', `  gate:\n    name: >-\n      Security\n      gate\n${STEP}`, ['Security gate']],
    [
      'a name from an alias',
      `  a: &a\n    name: &n Gate\n    steps: []\n  gate:\n    name: *n\n${STEP}`,
      ['Gate'],
    ],
    [
      'the id of a job whose step has a name',
      '  gate:\n    steps:\n      - name: Scan\n        uses: acme/scangate@1234\n',
      ['gate'],
    ],
    ['a job in flow style', '  gate: { steps: [{ uses: scangate/scangate@v0 }] }\n', ['gate']],
    ['a job with keys after the steps', `  gate:\n${STEP}    name: Gate\n`, ['Gate']],
    [
      'a matrix',
      `  gate:\n    strategy:\n      matrix: { a: [1, x], b: [y] }\n${STEP}`,
      ['gate (1, y)', 'gate (x, y)'],
    ],
    [
      'a matrix in the name',
      `  gate:\n    name: Gate ${expression('matrix.a')}\n    strategy:\n      matrix:\n        a: [1, 2]\n${STEP}`,
      ['Gate 1', 'Gate 2'],
    ],
    [
      'a matrix appended to the name',
      `  gate:\n    name: Gate\n    strategy:\n      matrix: { a: [1, x], b: [y] }\n${STEP}`,
      ['Gate (1, y)', 'Gate (x, y)'],
    ],
    [
      'a matrix with words',
      `  gate:\n    strategy:\n      matrix: { a: [20, 1e, v1.0, 1.2.3, true, nulls] }\n${STEP}`,
      ['20', '1e', 'v1.0', '1.2.3', 'true', 'nulls'].map((value) => `gate (${value})`),
    ],
    ...['3.10', '1e3', '010', '0x1', '+1', '.5', '~', 'null', 'True', '-0'].map(
      (value): [string, string, undefined] => [
        `unknown names if a matrix has ${value}, which GitHub shows in another spelling`,
        `  gate:\n    strategy:\n      matrix: { a: [${value}] }\n${STEP}`,
        undefined,
      ],
    ),
    [
      'unknown names if a matrix has a number of 101 digits',
      `  gate:\n    strategy:\n      matrix: { a: [${'1'.repeat(101)}] }\n${STEP}`,
      undefined,
    ],
    [
      'unknown names if a matrix has a text of 101 characters',
      `  gate:\n    strategy:\n      matrix: { a: [${'a'.repeat(101)}] }\n${STEP}`,
      undefined,
    ],
    [
      'unknown names if the name has an expression',
      `  gate:\n    name: gate ${expression('inputs.os')}\n${STEP}`,
      undefined,
    ],
    [
      'unknown names if the matrix comes from an expression',
      `  gate:\n    strategy:\n      matrix: ${expression('fromJSON(x)')}\n${STEP}`,
      undefined,
    ],
    [
      'unknown names if `include` adds combinations',
      `  gate:\n    strategy:\n      matrix:\n        a: [1]\n        include: [{ a: 2 }]\n${STEP}`,
      undefined,
    ],
    [
      'unknown names if a value is not a text',
      `  gate:\n    strategy:\n      matrix:\n        a: [{ b: c }]\n${STEP}`,
      undefined,
    ],
    [
      'unknown names if there are too many combinations',
      `  gate:\n    strategy:\n      matrix:\n        a: [${'1,'.repeat(17)}]\n        b: [${'1,'.repeat(17)}]\n${STEP}`,
      undefined,
    ],
  ])('the names of a check follow from the job (%s)', (_what, jobs, names) => {
    expect(namesOf(workflow(jobs))).toEqual([names]);
  });
});

test.each([
  ['a step of the doctor', '  a:\n    steps:\n      - uses: scangate/scangate/doctor@v0\n'],
  ['a comment', '  a:\n    steps:\n      # - uses: scangate/scangate@v0\n      - run: x\n'],
  ['a step of another action', '  a:\n    steps:\n      - uses: acme/scangate-tools@v1\n'],
  [
    'an input of another action',
    '  a:\n    steps:\n      - uses: acme/run@v1\n        with:\n          uses: scangate/scangate@v0\n',
  ],
  ['a text that is printed', '  a:\n    steps:\n      - run: |\n          uses: scangate/scangate@v0\n'],
  [
    'a value of the matrix',
    '  a:\n    strategy:\n      matrix:\n        include:\n          - uses: scangate/scangate@v0\n    steps:\n      - run: x\n',
  ],
])('the gate is not found in %s', (_what, jobs) => {
  expect(gatesOf(workflow(jobs))).toEqual([]);
});

describe('a workflow that another one calls', () => {
  const CALLED = workflow(`  scan:\n${STEP}`, 'on: workflow_call');
  const caller = (uses: string, keys = '') => workflow(`  security:\n${keys}    uses: ${uses}\n`);
  const checksIn = (files: Readonly<Record<string, string>>) => checksOf(inFiles(files).readable, SOURCE);

  test.each([
    ['a call by path', './.github/workflows/called.yml'],
    ['a call by repository and path', 'Acme/shop/.github/workflows/called.yml@main'],
  ])('the check of a called workflow has the names of the calling and the called job (%s)', (_what, uses) => {
    const [check] = checksIn({ 'called.yml': CALLED, 'caller.yml': caller(uses, '    name: Security\n') });
    expect(check?.names).toEqual(['Security / scan']);
    expect(gateChecks(check === undefined ? [] : [check])).toHaveLength(1);
  });

  test('a job that calls a workflow of another repository has a check whose name is only partly known', () => {
    const [check] = checksIn({ 'caller.yml': caller('acme/other/.github/workflows/called.yml@main') });
    expect(check?.names).toBeUndefined();
    expect(['security / scan', 'security', 'scan'].map((name) => check && isNamed(check, name))).toEqual([
      undefined,
      false,
      false,
    ]);
  });

  test('a reusable workflow has no check if no workflow calls it', () => {
    expect(checksIn({ 'called.yml': CALLED })).toEqual([]);
    expect(callableGateJobs(inFiles({ 'called.yml': CALLED }).readable)).toEqual(['scan']);
  });

  test('the search for checks ends if a workflow calls itself', () => {
    const [check] = checksIn({
      'a.yml': caller('./.github/workflows/b.yml'),
      'b.yml': workflow('  again:\n    uses: ./.github/workflows/b.yml\n', 'on: workflow_call'),
    });
    expect(check?.chain.length).toBe(11);
  });
});

test.each([
  ['on: pull_request', ['pull_request']],
  ['on: [push, merge_group]', ['push', 'merge_group']],
  ['on:\n  pull_request_target:\n  merge_group:\n', ['pull_request_target', 'merge_group']],
  ['"on":\n  schedule:\n    - cron: "0 4 * * *" # not merge_group', ['schedule']],
  ['on:\n- pull_request\n- merge_group', ['pull_request', 'merge_group']],
  ['name: pull_request\non: push', ['push']],
  ['name: no event', []],
])('readWorkflow reads %j as the events %j', (events, names) => {
  const read = readWorkflow({ path: 'w.yml', text: workflow(`  a:\n${STEP}`, events) });
  expect([...(read?.events.keys() ?? [])]).toEqual(names);
});

test('no check is found in files that are not workflows, or that cannot be parsed', () => {
  const texts = ['', 'jobs', '[]', '\u0000', '- uses: scangate/scangate@v0', 'on: push'];
  for (const text of texts) expect(readWorkflow({ path: 'w.yml', text })).toBeUndefined();
  const { readable, unreadable } = inFiles({ 'a.yml': 'a: !b', 'b.yml': workflow(`  a:\n${STEP}`) });
  expect([readable.length, unreadable.map(({ path }) => path)]).toEqual([1, ['.github/workflows/a.yml']]);
});

test('a text that uses the gate is detected in every form of YAML', () => {
  expect(
    ['- uses: scangate/scangate@v0', "{'uses' : acme/scangate@1}", '{uses: "scangate/scangate@v0"}'].every(
      mentionsGate,
    ),
  ).toBe(true);
  expect(['uses: scangate/scangate/doctor@v0', 'uses: actions/checkout@v4'].some(mentionsGate)).toBe(false);
});

test('the search for the triage action ignores the steps of the gate', () => {
  const text = workflow(
    '  a:\n    steps:\n      - uses: scangate/scangate/triage@v0\n      - uses: scangate/scangate@v0\n',
  );
  expect(stepsUsing(inFiles({ 'w.yml': text }).readable, 'triage')).toHaveLength(1);
});

describe('workflows that call each other many times', () => {
  const calls = (next: string, count: number) =>
    Array.from({ length: count }, (_, i) => `  j${i}:\n    uses: ./.github/workflows/${next}\n`).join('');

  test.each([
    [
      'a workflow that calls itself',
      { 'a.yml': workflow(calls('a.yml', 8), 'on: [pull_request, workflow_call]') },
    ],
    [
      'a chain of workflows',
      Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [
          `w${i}.yml`,
          workflow(calls(`w${i + 1}.yml`, 8), 'on: [pull_request, workflow_call]'),
        ]),
      ),
    ],
    [
      'workflows that are called from a matrix',
      Object.fromEntries(
        Array.from({ length: 6 }, (_, i) => [
          `w${i}.yml`,
          workflow(
            `  j:\n    uses: ./.github/workflows/w${i + 1}.yml\n    strategy:\n      matrix:\n        a: [${'x, '.repeat(99)}y]\n`,
            'on: [pull_request, workflow_call]',
          ),
        ]),
      ),
    ],
  ])('some checks of %s have unknown names', (_what, files) => {
    const checks = checksOf(inFiles(files).readable, SOURCE);
    expect(checks.length).toBeLessThan(20_000);
    expect(checks.some(({ names }) => names === undefined)).toBe(true);
  });
});

test('each job is visited once, even if many paths of `needs` lead to it', () => {
  const layer = (i: number) =>
    ['a', 'b']
      .map((x) => `  ${x}${i}:\n${i === 0 ? '' : `    needs: [a${i - 1}, b${i - 1}]\n`}    steps: []\n`)
      .join('');
  const layers = Array.from({ length: 40 }, (_, i) => layer(i)).join('');
  const [gate] = gatesOf(workflow(`${layers}  gate:\n    needs: [a39, b39]\n${STEP}`));
  if (gate === undefined) throw new Error('no gate');
  expect(gapsOf(gate, { events: ['pull_request'], repository: 'acme/shop', blocks: () => true })).toEqual([]);
});
