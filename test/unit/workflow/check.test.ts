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

const STEPS = { steps: [{ uses: 'scangate/scangate@v0' }] };
const expression = (text: string) => `\${{ ${text} }}`;

/** Makes the text of a workflow. JSON is also YAML. */
const workflow = (jobs: object, on: unknown = 'pull_request') => JSON.stringify({ on, jobs });
const inFiles = (files: Readonly<Record<string, string>>) =>
  readWorkflows(Object.entries(files).map(([name, text]) => ({ path: `.github/workflows/${name}`, text })));
const checksIn = (files: Readonly<Record<string, string>>) =>
  checksOf(inFiles(files).readable, { repository: 'acme/shop', branch: 'main' });
const gatesOf = (jobs: object) => gateChecks(checksIn({ 'w.yml': workflow(jobs) }));
const matrix = (members: object, name?: string) => ({ name, strategy: { matrix: members } });

/** Keys of the job `gate`. */
const JOBS: readonly object[] = [
  {},
  { name: 'A "name" # ours' },
  { steps: [{ name: 'Scan', uses: 'acme/Scangate@1234' }] },
  matrix({ a: [1, 'x'], b: ['y'] }),
  matrix({ a: [1, 'x'], b: ['y'] }, 'Gate'),
  matrix({ a: [1, 2] }, `Gate ${expression('matrix.a')}`),
  matrix({ a: [20, '1e', 'v1.0', '1.2.3', true, 'nulls'] }),
  // GitHub shows these values in another spelling.
  ...['3.10', '1e3', '010', '0x1', '+1', '.5', '~', 'null', 'True', '-0'].map((value) =>
    matrix({ a: [value] }),
  ),
  // GitHub cuts longer names.
  matrix({ a: ['1'.repeat(101)] }),
  matrix({ a: ['a'.repeat(101)] }),
  { name: `gate ${expression('inputs.os')}` },
  { strategy: { matrix: expression('fromJSON(x)') } },
  matrix({ a: [1], include: [{ a: 2 }] }),
  matrix({ a: [{ b: 'c' }] }),
  matrix({ a: Array(17).fill(1), b: Array(17).fill(1) }),
];

test('the names of a check follow from the job, as the golden file shows', async () => {
  const lines = JOBS.map((keys) => {
    const [gate] = gatesOf({ gate: { ...STEPS, ...keys } });
    const text = JSON.stringify(keys)
      .replace(/(.)\1{99,}/, '$1…')
      .replace(/(?:1,){16}/g, '1,…');
    return `${text}: ${gate?.names?.join(' | ') ?? 'unknown'}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/names.txt');
});

test.each<[string, object]>([
  ['a step of the doctor', { steps: [{ uses: 'scangate/scangate/doctor@v0' }] }],
  ['a step of another action', { steps: [{ uses: 'acme/scangate-tools@v1' }] }],
  ['an input of another action', { steps: [{ uses: 'acme/run@v1', with: STEPS.steps[0] }] }],
  ['a text that is printed', { steps: [{ run: 'uses: scangate/scangate@v0\n' }] }],
  ['a value of the matrix', { ...matrix({ include: STEPS.steps }), steps: [{ run: 'x' }] }],
])('the gate is not found in %s', (_what, job) => {
  expect(gatesOf({ a: job })).toEqual([]);
});

describe('a workflow that another one calls', () => {
  const CALLED = workflow({ scan: STEPS }, 'workflow_call');
  const caller = (uses: string) => workflow({ security: { name: 'Security', uses } });

  test.each([
    ['./.github/workflows/called.yml', ['Security / scan'], true],
    ['Acme/shop/.github/workflows/called.yml@main', ['Security / scan'], true],
    // The name is known only partly.
    ['acme/other/.github/workflows/called.yml@main', undefined, undefined],
  ])('the check of a workflow that calls %s has the names %j', (uses, names, isScan) => {
    const [check, ...others] = checksIn({ 'called.yml': CALLED, 'caller.yml': caller(uses) });
    expect([check?.names, others]).toEqual([names, []]);
    const isOf = ['Security / scan', 'Security', 'scan'].map((name) => check && isNamed(check, name));
    expect(isOf).toEqual([isScan, false, false]);
    expect(gateChecks(check === undefined ? [] : [check])).toHaveLength(isScan ? 1 : 0);
  });

  test('a reusable workflow has no check if no workflow calls it', () => {
    expect(checksIn({ 'called.yml': CALLED })).toEqual([]);
    expect(callableGateJobs(inFiles({ 'called.yml': CALLED }).readable)).toEqual(['scan']);
  });

  test('the search for checks ends if a workflow calls itself', () => {
    const again = { again: { uses: './.github/workflows/b.yml' } };
    const files = { 'a.yml': caller('./.github/workflows/b.yml'), 'b.yml': workflow(again, 'workflow_call') };
    expect(checksIn(files).map(({ chain }) => chain.length)).toEqual([11]);
  });

  /** A chain of workflows. Each has these jobs, which call the next workflow. */
  const chain = (length: number, jobsOf: (calling: object) => object) =>
    Object.fromEntries(
      Array.from({ length }, (_, i) => {
        const jobs = jobsOf({ uses: `./.github/workflows/w${i + 1}.yml` });
        return [`w${i}.yml`, workflow(jobs, ['pull_request', 'workflow_call'])];
      }),
    );
  test.each([
    ['workflows that call each other many times', chain(9, (calling) => ({ ...Array(8).fill(calling) }))],
    [
      'workflows that are called from a matrix',
      chain(6, (calling) => ({ j: { ...calling, ...matrix({ a: Array(100).fill('x') }) } })),
    ],
  ])('some checks of %s have unknown names', (_what, files) => {
    const checks = checksIn(files);
    expect(checks.length).toBeLessThan(20_000);
    expect(checks.some(({ names }) => names === undefined)).toBe(true);
  });
});

test.each([
  ['pull_request', ['pull_request']],
  [
    ['push', 'merge_group'],
    ['push', 'merge_group'],
  ],
  [{ schedule: [{ cron: '0 4 * * *' }], merge_group: {} }, ['schedule', 'merge_group']],
  ['', []],
])('readWorkflow reads %j as the events %j', (on, names) => {
  const read = readWorkflow({ path: 'w.yml', text: workflow({ a: STEPS }, on) });
  expect([...(read?.events.keys() ?? ['unread'])]).toEqual(names);
});

test('no check is found in files that are not workflows, or that cannot be parsed', () => {
  const texts = ['', 'jobs', '[]', '\u0000', '- uses: scangate/scangate@v0', 'on: push'];
  for (const text of texts) expect(readWorkflow({ path: 'w.yml', text })).toBeUndefined();
  const { readable, unreadable } = inFiles({ 'a.yml': 'a: !b', 'b.yml': workflow({ a: STEPS }) });
  expect([readable.length, unreadable.map(({ path }) => path)]).toEqual([1, ['.github/workflows/a.yml']]);
});

test('a text that uses the gate is detected in every form of YAML', () => {
  const forms = [
    '- uses: scangate/scangate@v0',
    "{'uses' : acme/scangate@1}",
    '{uses: "scangate/scangate@v0"}',
  ];
  expect(forms.filter((text) => !mentionsGate(text))).toEqual([]);
  expect(['uses: scangate/scangate/doctor@v0', 'uses: actions/checkout@v4'].some(mentionsGate)).toBe(false);
});

test('the search for the triage action ignores the steps of the gate', () => {
  const steps = [...STEPS.steps, { uses: 'scangate/scangate/triage@v0' }];
  expect(stepsUsing(inFiles({ 'w.yml': workflow({ a: { steps } }) }).readable, 'triage')).toHaveLength(1);
});

test('each job is visited once, even if many paths of `needs` lead to it', () => {
  const layers = Array.from({ length: 40 }, (_, i) =>
    ['a', 'b'].map((x) => [`${x}${i}`, { needs: i === 0 ? [] : [`a${i - 1}`, `b${i - 1}`], steps: [] }]),
  );
  const jobs = { ...Object.fromEntries(layers.flat()), gate: { needs: ['a39', 'b39'], ...STEPS } };
  const [gate] = gatesOf(jobs);
  if (gate === undefined) throw new Error('no gate');
  expect(gapsOf(gate, { events: ['pull_request'], repository: 'acme/shop', blocks: () => true })).toEqual([]);
});
