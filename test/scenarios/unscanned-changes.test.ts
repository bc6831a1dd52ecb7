import { describe } from 'vitest';
import type { FixtureCommit } from '../../sandbox/git-fixture.ts';
import { sharedRepository } from '../support/shared-repository.ts';
import { failing, hanging, refusing, showing } from './effects.ts';
import { notScanned, omits, outputs, requests, says } from './ends.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';

type Files = NonNullable<FixtureCommit['files']>;

const START: Files = {
  'README.md': 'hello',
  'docs/a.md': 'one',
  'docs/b.md': 'two',
  'docs/img/a.png': 'x',
  'docs/link.md': { symlinkTo: 'a.md' },
  'docs/sub': { submodule: 'c'.repeat(40) },
  'src/a.js': 'one',
  'lib/run': 'x',
};
const PATTERNS = 'docs/**\n**/*.md';
/** A change of the head, and the files that the base branch has changed since the merge base. */
interface Change {
  readonly what: string;
  readonly head: Files;
  readonly tip?: Files;
  /** The history, if it is not one commit of the head on the merge base. */
  readonly commits?: readonly FixtureCommit[];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly more?: Partial<RunRow>;
  readonly ends: RunRow['ends'];
}

/** The run passes without a scan. Every output shows the text. */
const unscanned = (...texts: readonly string[]): End =>
  notScanned('paths', { allowed: true, launches: 0, texts });
/** The run scans the change, and says why the input does not apply. */
const scanned = (why: string): readonly End[] => [
  outputs({ reason: '' }),
  says(`\`paths-unscanned\` does not apply: ${why}`),
  requests('scans.launch', 1),
];
const moved = (path: string) => scanned(`\`${path}\` has changed on the base branch.`);
const doc: Files = { 'docs/a.md': 'two' };
const files = (count: number, name: (index: number) => string): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), `${index}`]));
const withoutDocs: Files = Object.fromEntries(
  Object.keys(START).flatMap((path) => (path.startsWith('docs/') ? [[path, null]] : [])),
);
/** The base branch has renamed the folder `docs`. */
const renamedDocs: Files = { ...withoutDocs, 'text/a.md': 'one' };

const UNSCANNED: readonly Change[] = [
  {
    what: 'one file',
    head: doc,
    ends: unscanned('The only changed file matches paths-unscanned: docs/a.md.'),
  },
  {
    what: 'a file that moved between two paths of `paths-unscanned`',
    head: { 'docs/a.md': null, 'docs/c.md': 'one' },
    ends: unscanned('All 2 changed files match paths-unscanned: docs/a.md, docs/c.md.'),
  },
  {
    what: 'a folder in place of a file',
    head: { 'docs/a.md': null, 'docs/a.md/b.md': 'x' },
    ends: unscanned('match paths-unscanned: docs/a.md, docs/a.md/b.md.'),
  },
  {
    what: 'a file in place of a folder',
    head: { 'docs/img/a.png': null, 'docs/img': 'x' },
    ends: unscanned('match paths-unscanned: docs/img, docs/img/a.png.'),
  },
  {
    what: 'files whose names are similar to those of workflows and actions',
    head: {
      'docs/.github/workflows/a.yml': 'x',
      '.github/workflows.md': 'x',
      'docs/reaction.yml': 'x',
      'docs/action.yml.md': 'x',
      'docs/x.gitmodules': 'x',
    },
    ends: unscanned('All 5 changed files match'),
  },
  {
    what: '300 files, of which it names twenty without the backticks in their names',
    head: files(300, (index) => `docs/\`${String(index).padStart(3, '0')}.md`),
    ends: unscanned("docs/'000.md", "docs/'019.md, and 280 more."),
  },
  {
    what: '30 folders, including the root',
    head: files(28, (index) => `docs/f${index}/a.md`),
    ends: [unscanned('All 28 changed files match'), requests('tree', 2 + 2 + 28)],
  },
  {
    what: 'documents under `pull_request_target`',
    head: doc,
    more: { eventName: 'pull_request_target' },
    ends: unscanned('docs/a.md'),
  },
  {
    what: 'documents if git found the merge base',
    head: doc,
    more: { at: { compare: failing } },
    ends: unscanned('docs/a.md'),
  },
];

const SCANNED: readonly Change[] = [
  {
    what: 'a rename from a path outside `paths-unscanned`',
    head: { 'src/a.js': null, 'docs/a.js': 'one' },
    ends: scanned('`src/a.js` does not match.'),
  },
  {
    what: 'code that becomes executable',
    head: { 'lib/run': { executable: 'x' } },
    ends: scanned('`lib/run` does not match.'),
  },
  {
    what: 'a deleted symlink',
    head: { 'docs/link.md': null },
    ends: scanned('`docs/link.md` is no regular file'),
  },
  {
    what: 'a folder in place of a submodule',
    head: { 'docs/sub': null, 'docs/sub/a.md': 'x' },
    ends: scanned('`docs/sub` is no regular file'),
  },
  {
    what: 'a workflow in another letter case',
    head: { '.GitHub/Workflows/a.md': 'x' },
    ends: scanned('`.GitHub/Workflows/a.md` is always scanned.'),
  },
  {
    what: 'a local action',
    head: { '.github/actions/a/a.md': 'x' },
    ends: scanned('`.github/actions/a/a.md` is always scanned.'),
  },
  ...['.github/workflows', 'docs/action.yml', 'action.yaml', '.gitmodules'].map((path) => ({
    what: `the file \`${path}\``,
    head: { [path]: 'x' },
    inputs: { 'paths-unscanned': '.git*\n.github/**\ndocs/**\n*.yaml' },
    ends: scanned(`\`${path}\` is always scanned.`),
  })),
  {
    what: 'the guidance file in another letter case',
    head: { 'docs/A.md': 'x' },
    inputs: { 'guidance-file': 'docs/a.md' },
    ends: scanned('`docs/A.md` is always scanned.'),
  },
  {
    what: '31 folders',
    head: files(29, (index) => `docs/f${index}/a.md`),
    ends: scanned('more than 300 files or 30 folders changed.'),
  },
  {
    what: 'code, and reads no further folder',
    head: { ...doc, 'b.js': 'x' },
    ends: [...scanned('`b.js` does not match.'), requests('tree', 2)],
  },
  {
    what: 'documents if reading the folders takes 30 s',
    head: doc,
    more: { driver: 'in process', at: { tree: hanging } },
    ends: [
      ...scanned('the changed files could not be read.'),
      says('Could not read which files changed, so `paths-unscanned` does not apply. '),
      (_result, jobs) => {
        const [launch] = jobs.sent('scans.launch');
        if ((launch?.ms ?? 0) > 40_000) throw new Error(`the run launched after ${launch?.ms} ms`);
      },
    ],
  },
];

/** The base branch has left the changed files as they were. */
const KEPT: readonly Change[] = [
  {
    what: 'the base branch has changed only other paths',
    head: { ...doc, 'docs/new.md': 'x', 'deep/new/file.md': 'x' },
    tip: { 'src/a.js': 'two', 'x.js': 'x' },
    ends: unscanned('All 3 changed files match'),
  },
  {
    what: 'the base branch has added the folder of a new file, and the folder above it',
    head: { 'new/sub/b.md': 'x' },
    tip: { 'new/sub/a.js': 'x' },
    ends: unscanned('new/sub/b.md'),
  },
];

const MOVED: readonly Change[] = [
  {
    what: 'moved a file',
    head: doc,
    tip: { 'docs/a.md': null, 'src/a.md': 'one' },
    ends: moved('docs/a.md'),
  },
  { what: 'changed a file', head: { 'README.md': 'x' }, tip: { 'README.md': 'y' }, ends: moved('README.md') },
  {
    what: 'made a file executable',
    head: { 'README.md': 'x' },
    tip: { 'README.md': { executable: 'hello' } },
    ends: moved('README.md'),
  },
  {
    what: 'added a file in the same new folder',
    head: { 'new/a.md': 'x' },
    tip: { 'new/a.md': 'y' },
    ends: moved('new/a.md'),
  },
  {
    what: 'renamed the folder above a folder that the change adds',
    head: { 'docs/new/a.md': 'x' },
    tip: renamedDocs,
    ends: moved('docs'),
  },
  {
    what: 'put a symlink in place of a folder',
    head: { 'docs/new.md': 'x' },
    tip: { ...withoutDocs, docs: { symlinkTo: 'text' } },
    ends: moved('docs'),
  },
  {
    what: 'put a file where the change has a folder',
    head: { 'new/a.md': 'x' },
    tip: { new: 'x' },
    ends: moved('new'),
  },
  {
    what: 'put a folder in place of a file, as the change does',
    head: { 'README.md': null, 'README.md/b.md': 'x' },
    tip: { 'README.md': null, 'README.md/a.md': 'x' },
    ends: moved('README.md'),
  },
  {
    what: 'added a file to a folder that the change replaces by a file',
    head: { 'docs/img/a.png': null, 'docs/img': 'x' },
    tip: { 'docs/img/c.png': 'x' },
    ends: moved('docs/img'),
  },
];

const several = scanned('the change may have several merge bases.');
const OLDER = Array.from({ length: 6 }, (_, index) => `older ${index}`);
const HISTORIES: readonly Change[] = [
  {
    what: 'the base branch was merged into the head',
    head: {},
    commits: [
      { name: 'merged base', parents: ['start'], files: { 'src/b.js': 'x' } },
      { name: 'side', parents: ['start'], files: doc },
      { name: 'head', parents: ['side', 'merged base'], files: { ...doc, 'src/b.js': 'x' } },
      { name: 'tip', parents: ['merged base'], files: { 'src/c.js': 'x' } },
    ],
    ends: [unscanned('docs/a.md'), requests('compare', 3)],
  },
  {
    what: 'head and base branch have merged the same two commits',
    head: {},
    commits: [
      { name: 'one', parents: ['start'], files: { 'src/one.js': 'x' } },
      { name: 'two', parents: ['start'], files: { 'src/two.js': 'x' } },
      // The head undoes `one`.
      { name: 'head', parents: ['two', 'one'], files: doc },
      { name: 'tip', parents: ['one', 'two'], files: { 'src/two.js': 'x' } },
    ],
    ends: several,
  },
  {
    what: 'the head has too many merges',
    head: {},
    commits: [
      ...OLDER.map((name, index) => ({ name, parents: [OLDER[index - 1] ?? 'start'], files: {} })),
      { name: 'newest', parents: ['older 5'], files: {} },
      { name: 'head', parents: ['newest', ...OLDER.slice(0, 5), 'start'], files: doc },
      { name: 'tip', parents: ['newest'], files: { 'src/b.js': 'x' } },
    ],
    ends: several,
  },
  {
    what: 'the list of commits is incomplete',
    head: doc,
    tip: { 'src/b.js': 'x' },
    more: { at: { 'compare 2': showing([/"total_commits":1/, '"total_commits":2']) } },
    ends: several,
  },
  {
    what: 'the commits cannot be read',
    head: doc,
    tip: { 'src/b.js': 'x' },
    more: { at: { 'compare 2-': refusing(403) } },
    ends: several,
  },
];

const ALL = [...UNSCANNED, ...SCANNED, ...KEPT, ...MOVED, ...HISTORIES];
const numberOf = (change: Change) => ALL.indexOf(change);
const headOf = (change: Change) => `change ${numberOf(change)}` as const;
const branchOf = (change: Change) => `branch-${numberOf(change)}`;

/** The commits of a change. Their names begin with the number of the change. */
function commitsOf(change: Change): readonly FixtureCommit[] {
  const { head, tip = {}, commits } = change;
  const made = commits ?? [
    { name: 'head', parents: ['start'], files: head },
    { name: 'tip', parents: ['start'], files: tip },
  ];
  const own = new Map(made.map(({ name }) => [name, `${name} ${numberOf(change)}`]));
  own.set('head', headOf(change));
  return made.map((commit) => ({
    ...commit,
    name: own.get(commit.name) ?? commit.name,
    parents: (commit.parents ?? []).map((parent) => own.get(parent) ?? parent),
  }));
}

const repository = await sharedRepository({
  branches: {
    main: 'start',
    ...Object.fromEntries(
      ALL.flatMap((change) =>
        change.tip || change.commits ? [[branchOf(change), `tip ${numberOf(change)}`]] : [],
      ),
    ),
  },
  commits: [{ name: 'start', parents: [], files: START }, ...ALL.flatMap(commitsOf)],
});

const rowsOf = (changes: readonly Change[], prefix: string): readonly RunRow[] =>
  changes.map((change) => ({
    name: `${prefix} ${change.what}`,
    ownRepository: repository,
    head: headOf(change),
    baseRef: change.tip || change.commits ? branchOf(change) : 'main',
    inputs: { 'paths-unscanned': PATTERNS, ...change.inputs },
    ends: change.ends,
    ...change.more,
  }));

describe('`paths-unscanned` and the files of a change', () => {
  testRuns([
    ...rowsOf(UNSCANNED, 'a run does not scan'),
    ...rowsOf(SCANNED, 'a run scans'),
    ...rowsOf(KEPT, 'a run does not scan documents if'),
    ...rowsOf(MOVED, 'a run scans documents if the base branch has'),
    ...rowsOf(HISTORIES.slice(0, 1), 'a run does not scan documents if'),
    ...rowsOf(HISTORIES.slice(1), 'a run scans documents if'),
    {
      name: 'a run scans documents if the newest commit of the base branch is not known',
      ownRepository: repository,
      head: 'change 0',
      at: { graphql: refusing(404, 'Not Found'), ref: refusing(422) },
      inputs: { 'paths-unscanned': PATTERNS },
      ends: scanned('the newest commit of the base branch is not known.'),
    },
    {
      name: 'a run reads no files if the head is the merge base',
      ownRepository: repository,
      head: 'start',
      inputs: { 'paths-unscanned': PATTERNS },
      ends: [outputs({ outcome: 'unchanged' }), requests('tree', 0)],
    },
    {
      name: 'a run does not apply `paths-unscanned` to a change without files',
      head: 'empty',
      inputs: { 'paths-unscanned': PATTERNS },
      ends: [outputs({ outcome: 'unchanged' }), omits('does not apply')],
    },
  ]);
});
