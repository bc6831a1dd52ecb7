import { describe, expect } from 'vitest';
import type { FixtureCommit } from '../../sandbox/git-fixture.ts';
import { sharedRepository } from '../support/shared-repository.ts';
import { cancelJob, failing, forbidden, hanging, lost, refusing } from './effects.ts';
import { endedAs, exits, notScanned, passed, requests, says } from './ends.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';

type Files = NonNullable<FixtureCommit['files']>;

const PATH = '.github/guidance.md';
const REGULAR = 'Put a regular file there';
const NO_TEXT = ['is not UTF-8 text', 'Save it as UTF-8'] as const;
const LONGEST = 100_000;

/** The files that the base branch adds, and the cause and the next step of the run. */
const WRONG: readonly (readonly [what: string, files: Files, cause: string, nextStep: string])[] = [
  ['absent', { '.github/other.md': 'x' }, 'There is no file', 'merge it into the base branch first'],
  ['in a folder that does not exist', {}, 'There is no file', 'Check the path'],
  ['below a file', { '.github': 'x' }, 'There is no file', 'Check the path'],
  ['below a symlink', { '.github': { symlinkTo: 'docs' } }, 'There is no file', 'Check the path'],
  ['a symlink', { [PATH]: { symlinkTo: 'x' } }, 'is a symlink, not a file', REGULAR],
  ['a submodule', { [PATH]: { submodule: 'c'.repeat(40) } }, 'is a submodule, not a file', REGULAR],
  ['a folder', { [`${PATH}/x`]: 'y' }, 'is a folder, not a file', REGULAR],
  ['not UTF-8', { [PATH]: Buffer.from([0x66, 0xe9, 0x0a]) }, ...NO_TEXT],
  ['UTF-16 without a byte order mark', { [PATH]: Buffer.from('Mind.\n', 'utf16le') }, ...NO_TEXT],
  ['empty', { [PATH]: ' \n' }, 'is empty', 'Write the guidance into it'],
  [
    'too long',
    { [PATH]: 'é'.repeat(LONGEST + 1) },
    `is longer than ${LONGEST} characters`,
    'Shorten the file',
  ],
];
const OTHERS = {
  guided: { [PATH]: 'Mind the gap.\n' },
  marked: { [PATH]: '\uFEFFMind the é😀.\n' },
  root: { 'guidance.md': 'Mind.' },
  longest: { [PATH]: '😀'.repeat(LONGEST) },
  huge: { [PATH]: 'x'.repeat(4 * LONGEST + 1) },
} satisfies Readonly<Record<string, Files>>;

const BRANCHES = Object.fromEntries([
  ...WRONG.map(([what, files]) => [what.replaceAll(' ', '-'), files] as const),
  ...Object.entries(OTHERS),
]);
const ownRepository = await sharedRepository({
  branches: { main: 'start', ...Object.fromEntries(Object.keys(BRANCHES).map((name) => [name, name])) },
  commits: [
    { name: 'start', parents: [], files: { 'src/app.js': '1;\n' } },
    { name: 'change 1', parents: ['start'], files: { 'src/app.js': '2;\n' } },
    ...Object.entries(BRANCHES).map(([name, files]) => ({ name, parents: ['start'], files })),
  ],
});

const onto = (branch: string, path = PATH) =>
  ({ ownRepository, head: 'change 1', baseRef: branch, inputs: { 'guidance-file': path } }) as const;
const GUIDED = onto('guided');
const refused = (reason: string, ...texts: readonly string[]) => notScanned(reason, { launches: 0, texts });

/** The guidance in the only launch request. */
const sends =
  (guidance: string): End =>
  ({ environment: { service }, run }) => {
    const [launch] = service.requests.filter(({ point }) => point === 'scans.launch');
    expect(launch?.body, run.log).toMatchObject({ guidance });
  };

describe('the guidance file of the base branch', () => {
  testRuns([
    ...WRONG.map(
      ([what, , cause, nextStep]): RunRow => ({
        name: `a run reports a wrong setup if the guidance file is ${what}`,
        ...onto(what.replaceAll(' ', '-')),
        ends: [
          refused('configuration', cause, nextStep),
          says(
            `\`${PATH}\` at commit \`${ownRepository.id(what.replaceAll(' ', '-')).slice(0, 7)}\` of the base`,
          ),
        ],
      }),
    ),
    {
      name: 'a run does not download a guidance file that is far too long',
      ...onto('huge'),
      ends: [refused('configuration', `is longer than ${LONGEST} characters`), requests('blob', 0)],
    },
    {
      name: 'a run sends a guidance file of exactly the maximum length',
      ...onto('longest'),
      ends: [passed, sends('😀'.repeat(LONGEST)), requests('blob', 1)],
    },
    {
      name: 'a run sends a guidance file without its byte order mark, and shows its length and its hash',
      ...onto('marked'),
      ends: [passed, sends('Mind the é😀.\n'), says('13 characters', 'c3c615cd')],
    },
    {
      name: 'a run reads a guidance file in the root folder',
      ...onto('root', 'guidance.md'),
      ends: [passed, sends('Mind.'), requests('tree', 1)],
    },
  ]);
});

describe('a guidance file that cannot be read', () => {
  testRuns([
    {
      name: 'a run does not look for the guidance file if the commit is not known',
      ...GUIDED,
      at: { graphql: refusing(404, 'Not Found'), ref: refusing(422) },
      ends: [
        refused('service-error', 'newest commit of the base branch', 'add contents: read'),
        requests('tree|blob', 0),
      ],
    },
    ...(['tree 1', 'tree 2', 'blob 1'] as const).map((request) => ({
      name: `a run names the permission that it needs if GitHub denies a request for the guidance file (${request})`,
      ...GUIDED,
      at: { [request]: forbidden },
      ends: refused(
        'configuration',
        `Could not read the guidance file ${PATH} at commit`,
        'GitHub denied access (Resource not accessible by integration).',
        'Add contents: read',
      ),
    })),
    {
      name: 'a run that is cancelled while it reads the guidance file says so',
      ...GUIDED,
      at: { blob: [cancelJob, hanging] },
      inputs: { ...GUIDED.inputs, ...EVERYTHING_ALLOWED },
      ends: [endedAs('scan-cancelled'), exits(1), says('before it read the guidance file.')],
    },
    ...(
      [
        ['401', refusing(401), 'configuration', 'Check github-token'],
        ['404', refusing(404), 'configuration', 'Add contents: read'],
        ['422', refusing(422), 'service-error', 'open an issue'],
        ['502', failing, 'service-error', 'Re-run this job'],
        ['no answer', lost, 'service-error', 'Re-run this job'],
        ['a page of HTML', { status: 200, body: '<html>' }, 'service-error', 'Check GITHUB_API_URL'],
        [
          'a rate limit',
          refusing(403, 'rate limit', { 'x-ratelimit-remaining': '0' }),
          'service-error',
          'Re-run this job later',
        ],
      ] as const
    ).map(([what, answer, reason, nextStep]) => ({
      name: `a run launches nothing if it gets ${what} for the guidance file`,
      ...GUIDED,
      at: { blob: answer },
      ends: refused(reason, 'Could not read the guidance file', nextStep),
    })),
    {
      name: 'a run that times out while it reads the guidance file says so',
      ...GUIDED,
      driver: 'in process',
      at: { blob: hanging },
      inputs: { ...GUIDED.inputs, 'timeout-minutes': '1' },
      ends: [endedAs('timeout'), says('reached its time limit', 'before it read the guidance file.')],
    },
  ]);
});
