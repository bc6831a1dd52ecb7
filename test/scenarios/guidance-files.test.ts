import { expect } from 'vitest';
import type { FixtureCommit } from '../../sandbox/git-fixture.ts';
import { sharedRepository } from '../support/shared-repository.ts';
import { cancelJob, failing, forbidden, hanging, lost, missing, refusing } from './effects.ts';
import { requests } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import type { End } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';

type Files = NonNullable<FixtureCommit['files']>;

const PATH = '.github/guidance.md';
const LONGEST = 100_000;

/** The files that the base branch adds. */
const WRONG = {
  absent: { '.github/other.md': 'x' },
  'in a folder that does not exist': {},
  'below a file': { '.github': 'x' },
  'below a symlink': { '.github': { symlinkTo: 'docs' } },
  'a symlink': { [PATH]: { symlinkTo: 'x' } },
  'a submodule': { [PATH]: { submodule: 'c'.repeat(40) } },
  'a folder': { [`${PATH}/x`]: 'y' },
  'not UTF-8': { [PATH]: Buffer.from([0x66, 0xe9, 0x0a]) },
  'UTF-16 without a byte order mark': { [PATH]: Buffer.from('Mind.\n', 'utf16le') },
  empty: { [PATH]: ' \n' },
  'too long': { [PATH]: 'é'.repeat(LONGEST + 1) },
} satisfies Readonly<Record<string, Files>>;
const OTHERS = {
  guided: { [PATH]: 'Mind the gap.\n' },
  marked: { [PATH]: '\uFEFFMind the é😀.\n' },
  root: { 'guidance.md': 'Mind.' },
  deep: { 'docs/security/scans/guidance.md': 'Mind.' },
  longest: { [PATH]: '😀'.repeat(LONGEST) },
  huge: { [PATH]: 'x'.repeat(4 * LONGEST + 1) },
} satisfies Readonly<Record<string, Files>>;

const branchOf = (what: string) => what.replaceAll(' ', '-');
const BRANCHES = Object.entries({ ...WRONG, ...OTHERS }).map(
  ([what, files]) => [branchOf(what), files] as const,
);
const ownRepository = await sharedRepository({
  branches: { main: 'start', ...Object.fromEntries(BRANCHES.map(([name]) => [name, name])) },
  commits: [
    { name: 'start', parents: [], files: { 'src/app.js': '1;\n' } },
    { name: 'change 1', parents: ['start'], files: { 'src/app.js': '2;\n' } },
    ...BRANCHES.map(([name, files]) => ({ name, parents: ['start'], files })),
  ],
});

const onto = (branch: string, path = PATH) =>
  ({ ownRepository, head: 'change 1', baseRef: branch, inputs: { 'guidance-file': path } }) as const;
const GUIDED = onto('guided');

/** The guidance in the only launch request. */
const sends =
  (guidance: string): End =>
  ({ environment: { service }, run }) => {
    const [launch] = service.requests.filter(({ point }) => point === 'scans.launch');
    expect(launch?.body, run.log).toMatchObject({ guidance });
  };

testScans('guidance-files', {
  ...rowsFor(Object.keys(WRONG), (what) => [
    `a run reports a wrong setup if the guidance file is ${what}`,
    onto(branchOf(what)),
  ]),
  'a run does not download a guidance file that is far too long': {
    ...onto('huge'),
    ends: requests('blob', 0),
  },
  'a run sends a guidance file of exactly the maximum length': {
    ...onto('longest'),
    ends: [sends('😀'.repeat(LONGEST)), requests('blob', 1)],
  },
  'a run sends a guidance file without its byte order mark, and shows its length and its hash': {
    ...onto('marked'),
    ends: sends('Mind the é😀.\n'),
  },
  'a run reads a guidance file in the root folder': {
    ...onto('root', 'guidance.md'),
    ends: [sends('Mind.'), requests('tree', 1)],
  },
  'a run reads a guidance file in the third folder below the root': {
    ...onto('deep', 'docs/security/scans/guidance.md'),
    ends: [sends('Mind.'), requests('tree', 4)],
  },
});

testScans('guidance-files', GUIDED, {
  'a run does not look for the guidance file if the commit is not known': {
    at: { graphql: missing, ref: refusing(422) },
    ends: requests('tree|blob', 0),
  },
  ...rowsFor(['tree 1', 'tree 2', 'blob 1'], (request) => [
    `a run names the permission that it needs if GitHub denies a request for the guidance file (${request})`,
    { at: { [request]: forbidden } },
  ]),
  'a run that is cancelled while it reads the guidance file says so': {
    at: { blob: [cancelJob, hanging] },
    inputs: { ...GUIDED.inputs, ...EVERYTHING_ALLOWED },
  },
  ...rowsFor(
    [
      ['401', refusing(401)],
      ['404', missing],
      ['422', refusing(422)],
      ['502', failing],
      ['no answer', lost],
      ['a page of HTML', { status: 200, body: '<html>' }],
      ['a rate limit', refusing(403, 'rate limit', { 'x-ratelimit-remaining': '0' })],
    ],
    ([what, answer]) => [
      `a run launches nothing if it gets ${what} for the guidance file`,
      { at: { blob: answer } },
    ],
  ),
  'a run that times out while it reads the guidance file says so': {
    driver: 'in process',
    at: { blob: hanging },
    inputs: { ...GUIDED.inputs, 'timeout-minutes': '1' },
  },
});
