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
])('%j runs on pull requests: %s, in a queue: %s', (events, runsOnPullRequests, runsInQueue) => {
  expect(jobsOf(workflow(`  gate:\n${STEP}`, events))).toMatchObject([{ runsOnPullRequests, runsInQueue }]);
});

test('a file that is no workflow has no job', () => {
  for (const text of ['', 'jobs', '[]', '\u0000', 'jobs:\n  scangate: {}', '- uses: scangate/scangate@v0'])
    expect(jobsOf(text)).toEqual([]);
});
