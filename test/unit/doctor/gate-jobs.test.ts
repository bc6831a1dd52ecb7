import { describe, expect, test } from 'vitest';
import { gateJobsOf } from '../../../src/doctor/gate-jobs.ts';

const jobsOf = (text: string) => gateJobsOf({ path: 'w.yml', text });
const names = (text: string) => jobsOf(text).map(({ name }) => name);
const workflow = (job: string, events = 'on: [pull_request]') => `${events}\njobs:\n${job}`;
const STEP = '    steps:\n      - uses: scangate/scangate@v0\n';

describe('the name of the check', () => {
  test.each([
    ['the id', `  gate:\n${STEP}`, 'gate'],
    ['the name', `  gate:\n    name: Security gate # ours\n${STEP}`, 'Security gate'],
    ['a quoted name', `  gate:\n    name: 'A "name"'\n${STEP}`, 'A "name"'],
    [
      'not the name of a step',
      `  gate:\n    steps:\n      - name: Scan\n        uses: acme/scangate@1234\n`,
      'gate',
    ],
    ['a job after others', `  test:\n    steps:\n      - run: npm test\n  "gate":\n${STEP}`, 'gate'],
    ['deeper indentation', `    gate:\n        steps:\n            - uses: "scangate/scangate@v0"\n`, 'gate'],
    ['windows line ends', `  gate:\r\n    steps:\r\n      - uses: scangate/scangate@v0\r\n`, 'gate'],
    ['no expression', `  gate:\n    name: gate \${{ matrix.os }}\n${STEP}`, undefined],
    ['no matrix', `  gate:\n    strategy:\n      matrix: { a: [1] }\n${STEP}`, undefined],
  ])('is %s', (_what, job, name) => {
    expect(names(workflow(job))).toEqual([name]);
  });
});

/** A step that only prints the line. */
const PRINTED =
  '    steps:\n      - run: |\n          cat <<EOF\n          uses: scangate/scangate@v0\n          EOF\n';

describe('the name of a job is unknown', () => {
  test.each([
    ['with an anchor', `  test:\n    steps:\n      - run: x\n  gate: &gate\n${STEP}`],
    ['with an anchor, as the first job', `  gate: &gate\n${STEP}`],
    [
      'in flow style',
      '  test:\n    steps:\n      - run: x\n  gate: { steps: [{ uses: scangate/scangate@v0 }] }\n',
    ],
    ['with steps in flow style', '  gate:\n    steps: [{ uses: scangate/scangate@v0 }]\n'],
    ['with a key that is none of an id', `  test:\n    steps:\n      - run: x\n  ? gate\n  :\n${STEP}`],
    ['with a name by an alias', `  gate:\n    name: *name\n${STEP}`],
    ['with a name with an anchor', `  gate:\n    name: &name Gate\n${STEP}`],
    ['with a name in a block', `  gate:\n    name: >-\n      Gate\n${STEP}`],
    ['with a name of two lines', `  gate:\n    name: Security\n      gate\n${STEP}`],
    ['with a name that has escapes', `  gate:\n    name: "Gate\\x21"\n${STEP}`],
    ['with a number sign in quotes', `  gate:\n    name: "Gate #1"\n${STEP}`],
    ['with an empty name', `  gate:\n    name:\n${STEP}`],
    ['with a merge key', `  gate:\n    <<: *defaults\n${STEP}`],
    ['with a matrix under a quoted key', `  gate:\n    "strategy":\n      matrix: { a: [1] }\n${STEP}`],
    ['indented by a tab', `  gate:\n\t${STEP}`],
    ['that only prints it', `  test:\n${PRINTED}`],
    [
      'that passes it to another action',
      '  test:\n    steps:\n      - uses: acme/run@v1\n        with:\n          uses: scangate/scangate@v0\n',
    ],
    [
      'with it in the matrix',
      '  test:\n    strategy:\n      matrix:\n        include:\n          - uses: scangate/scangate@v0\n    steps:\n      - run: x\n',
    ],
  ])('%s', (_what, job) => {
    expect(names(workflow(job))).toEqual([undefined]);
  });

  test('where all jobs are in flow style', () => {
    expect(names('on: pull_request\njobs: { gate: { steps: [{ uses: scangate/scangate@v0 }] } }\n')).toEqual([
      undefined,
    ]);
  });
});

test.each([
  ['a quoted key', `  gate:\n    "name": Gate\n${STEP}`, 'Gate'],
  ['a doubled quote', `  gate:\n    name: 'It''s'\n${STEP}`, "It's"],
  [
    'steps that are not indented',
    '  gate:\n    steps:\n    - run: x\n    - uses: scangate/scangate@v0\n',
    'gate',
  ],
  ['steps below their dash', '  gate:\n    steps:\n      -\n        uses: scangate/scangate@v0\n', 'gate'],
  ['a symbol', `  gate:\n    name: 🔒 Gate\n${STEP}`, '🔒 Gate'],
  ['keys after the steps', `  gate:\n${STEP}    name: Gate\n`, 'Gate'],
])('the name is read with %s', (_what, job, name) => {
  expect(names(workflow(job))).toEqual([name]);
});

test.each([
  ['the doctor', '  a:\n    steps:\n      - uses: scangate/scangate/doctor@v0\n'],
  ['a comment', '  a:\n    steps:\n      # - uses: scangate/scangate@v0\n      - run: x\n'],
  ['another action', '  a:\n    steps:\n      - uses: acme/scangate-tools@v1\n'],
  ['no job', ''],
])('%s is not the gate', (_what, job) => {
  expect(names(workflow(job))).toEqual([]);
});

test('two jobs can run the gate', () => {
  expect(names(workflow(`  one:\n${STEP}  two:\n${STEP}`))).toEqual(['one', 'two']);
});

test.each([
  ['on: pull_request', true, false],
  ['on: [push, merge_group]', false, true],
  ['on:\n  pull_request_target:\n  merge_group:\n', true, true],
  ['"on":\n  schedule:\n    - cron: "0 4 * * *" # not merge_group', false, false],
  ['on:\n- pull_request\n- merge_group', true, true],
  ['name: pull_request\non: push', false, false],
  ['on:\n  push:\n    branches: [pull_request, merge_group]', false, false],
  ['on: [\n  pull_request,\n  merge_group\n  ]', true, true],
])('%j runs on pull requests: %s, in a queue: %s', (events, runsOnPullRequests, runsInQueue) => {
  expect(jobsOf(workflow(`  gate:\n${STEP}`, events))).toMatchObject([{ runsOnPullRequests, runsInQueue }]);
});

test('a file that is no workflow has no job', () => {
  for (const text of ['', 'jobs', '[]', '\u0000', 'jobs:\n  scangate: {}', '- uses: scangate/scangate@v0'])
    expect(jobsOf(text)).toEqual([]);
});
