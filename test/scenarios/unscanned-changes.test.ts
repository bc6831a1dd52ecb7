import { expect } from 'vitest';
import type { FixtureCommit } from '../../sandbox/git-fixture.ts';
import { sharedRepository } from '../support/shared-repository.ts';
import { failing, hanging, missing, refusing, showing } from './effects.ts';
import { requests } from './ends.ts';
import type { RunRow } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';

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
interface Change extends Omit<RunRow, 'name' | 'head' | 'inputs'> {
  readonly head: Files;
  readonly tip?: Files;
  /** The history, if it is not one commit of the head on the merge base. */
  readonly commits?: readonly FixtureCommit[];
  readonly inputs?: Readonly<Record<string, string>>;
}
type Changes = Readonly<Record<string, Change>>;

const doc: Files = { 'docs/a.md': 'two' };
const files = (count: number, name: (index: number) => string): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), `${index}`]));
const withoutDocs: Files = Object.fromEntries(
  Object.keys(START).flatMap((path) => (path.startsWith('docs/') ? [[path, null]] : [])),
);
/** The base branch has renamed the folder `docs`. */
const renamedDocs: Files = { ...withoutDocs, 'text/a.md': 'one' };

const UNSCANNED: Changes = {
  'a run does not scan one file': { head: doc },
  'a run does not scan a file that moved between two paths of `paths-unscanned`': {
    head: { 'docs/a.md': null, 'docs/c.md': 'one' },
  },
  'a run does not scan a folder in place of a file': { head: { 'docs/a.md': null, 'docs/a.md/b.md': 'x' } },
  'a run does not scan a file in place of a folder': { head: { 'docs/img/a.png': null, 'docs/img': 'x' } },
  'a run does not scan files whose names are similar to those of workflows and actions': {
    head: {
      'docs/.github/workflows/a.yml': 'x',
      '.github/workflows.md': 'x',
      'docs/reaction.yml': 'x',
      'docs/action.yml.md': 'x',
      'docs/x.gitmodules': 'x',
    },
  },
  'a run does not scan 300 files, of which it names twenty without the backticks in their names': {
    head: files(300, (index) => `docs/\`${String(index).padStart(3, '0')}.md`),
  },
  'a run does not scan 30 folders, including the root': {
    head: files(28, (index) => `docs/f${index}/a.md`),
    ends: requests('tree', 2 + 2 + 28),
  },
  'a run does not scan documents under `pull_request_target`': {
    head: doc,
    eventName: 'pull_request_target',
  },
  'a run does not scan documents if git found the merge base': { head: doc, at: { compare: failing } },
};

const SCANNED: Changes = {
  'a run scans a rename from a path outside `paths-unscanned`': {
    head: { 'src/a.js': null, 'docs/a.js': 'one' },
  },
  'a run scans code that becomes executable': { head: { 'lib/run': { executable: 'x' } } },
  'a run scans a deleted symlink': { head: { 'docs/link.md': null } },
  'a run scans a folder in place of a submodule': { head: { 'docs/sub': null, 'docs/sub/a.md': 'x' } },
  'a run scans a workflow in another letter case': { head: { '.GitHub/Workflows/a.md': 'x' } },
  'a run scans a local action': { head: { '.github/actions/a/a.md': 'x' } },
  ...Object.fromEntries(
    ['.github/workflows', 'docs/action.yml', 'action.yaml', '.gitmodules'].map((path) => [
      `a run scans the file \`${path}\``,
      { head: { [path]: 'x' }, inputs: { 'paths-unscanned': '.git*\n.github/**\ndocs/**\n*.yaml' } },
    ]),
  ),
  'a run scans the guidance file in another letter case': {
    head: { 'docs/A.md': 'x' },
    inputs: { 'guidance-file': 'docs/a.md' },
  },
  'a run scans 31 folders': { head: files(29, (index) => `docs/f${index}/a.md`) },
  'a run scans code, and reads no further folder': {
    head: { ...doc, 'b.js': 'x' },
    ends: requests('tree', 2),
  },
  'a run scans documents if reading the folders takes 30 s': {
    head: doc,
    driver: 'in process',
    at: { tree: hanging },
    ends: (_result, jobs) => expect(jobs.sent('scans.launch')[0]?.ms).toBeLessThan(40_000),
  },
};

/** The base branch has left the changed files as they were. */
const KEPT: Changes = {
  'a run does not scan documents if the base branch has changed only other paths': {
    head: { ...doc, 'docs/new.md': 'x', 'deep/new/file.md': 'x' },
    tip: { 'src/a.js': 'two', 'x.js': 'x' },
  },
  'a run does not scan documents if the base branch has added the folder of a new file, and the folder above it':
    { head: { 'new/sub/b.md': 'x' }, tip: { 'new/sub/a.js': 'x' } },
};

const MOVED: Changes = {
  'a run scans documents if the base branch has moved a file': {
    head: doc,
    tip: { 'docs/a.md': null, 'src/a.md': 'one' },
  },
  'a run scans documents if the base branch has changed a file': {
    head: { 'README.md': 'x' },
    tip: { 'README.md': 'y' },
  },
  'a run scans documents if the base branch has made a file executable': {
    head: { 'README.md': 'x' },
    tip: { 'README.md': { executable: 'hello' } },
  },
  'a run scans documents if the base branch has added a file in the same new folder': {
    head: { 'new/a.md': 'x' },
    tip: { 'new/a.md': 'y' },
  },
  'a run scans documents if the base branch has renamed the folder above a folder that the change adds': {
    head: { 'docs/new/a.md': 'x' },
    tip: renamedDocs,
  },
  'a run scans documents if the base branch has put a symlink in place of a folder': {
    head: { 'docs/new.md': 'x' },
    tip: { ...withoutDocs, docs: { symlinkTo: 'text' } },
  },
  'a run scans documents if the base branch has put a file where the change has a folder': {
    head: { 'new/a.md': 'x' },
    tip: { new: 'x' },
  },
  'a run scans documents if the base branch has put a folder in place of a file, as the change does': {
    head: { 'README.md': null, 'README.md/b.md': 'x' },
    tip: { 'README.md': null, 'README.md/a.md': 'x' },
  },
  'a run scans documents if the base branch has added a file to a folder that the change replaces by a file':
    { head: { 'docs/img/a.png': null, 'docs/img': 'x' }, tip: { 'docs/img/c.png': 'x' } },
};

const OLDER = Array.from({ length: 6 }, (_, index) => `older ${index}`);
const HISTORIES: Changes = {
  'a run does not scan documents if the base branch was merged into the head': {
    head: {},
    commits: [
      { name: 'merged base', parents: ['start'], files: { 'src/b.js': 'x' } },
      { name: 'side', parents: ['start'], files: doc },
      { name: 'head', parents: ['side', 'merged base'], files: { ...doc, 'src/b.js': 'x' } },
      { name: 'tip', parents: ['merged base'], files: { 'src/c.js': 'x' } },
    ],
    ends: requests('compare', 3),
  },
  'a run scans documents if head and base branch have merged the same two commits': {
    head: {},
    commits: [
      { name: 'one', parents: ['start'], files: { 'src/one.js': 'x' } },
      { name: 'two', parents: ['start'], files: { 'src/two.js': 'x' } },
      // The head undoes `one`.
      { name: 'head', parents: ['two', 'one'], files: doc },
      { name: 'tip', parents: ['one', 'two'], files: { 'src/two.js': 'x' } },
    ],
  },
  'a run scans documents if the head has too many merges': {
    head: {},
    commits: [
      ...OLDER.map((name, index) => ({ name, parents: [OLDER[index - 1] ?? 'start'], files: {} })),
      { name: 'newest', parents: ['older 5'], files: {} },
      { name: 'head', parents: ['newest', ...OLDER.slice(0, 5), 'start'], files: doc },
      { name: 'tip', parents: ['newest'], files: { 'src/b.js': 'x' } },
    ],
  },
  'a run scans documents if the list of commits is incomplete': {
    head: doc,
    tip: { 'src/b.js': 'x' },
    at: { 'compare 2': showing([/"total_commits":1/, '"total_commits":2']) },
  },
  'a run scans documents if the commits cannot be read': {
    head: doc,
    tip: { 'src/b.js': 'x' },
    at: { 'compare 2-': refusing(403) },
  },
};

const CHANGES: Changes = { ...UNSCANNED, ...SCANNED, ...KEPT, ...MOVED, ...HISTORIES };
const ALL = Object.values(CHANGES);
const numberOf = (change: Change) => ALL.indexOf(change);
const hasOwnBase = (change: Change) => change.tip !== undefined || change.commits !== undefined;
const headOf = (change: Change) => `change ${numberOf(change)}` as const;
const branchOf = (change: Change) => (hasOwnBase(change) ? `branch-${numberOf(change)}` : 'main');

/** The commits of a change. Their names end with the number of the change. */
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

const withBase = ALL.filter(hasOwnBase).map((change) => [branchOf(change), `tip ${numberOf(change)}`]);
const ownRepository = await sharedRepository({
  branches: { main: 'start', ...Object.fromEntries(withBase) },
  commits: [{ name: 'start', parents: [], files: START }, ...ALL.flatMap(commitsOf)],
});

const inputs = { 'paths-unscanned': PATTERNS };
const OWN = { ownRepository, inputs };
testScans('unscanned-changes', OWN, {
  ...rowsFor(Object.entries(CHANGES), ([name, change]) => {
    const { head, tip, commits, ...row } = change;
    return [
      name,
      { ...row, head: headOf(change), baseRef: branchOf(change), inputs: { ...inputs, ...row.inputs } },
    ];
  }),
  'a run scans documents if the newest commit of the base branch is not known': {
    head: 'change 0',
    at: { graphql: missing, ref: refusing(422) },
  },
  'a run reads no files if the head is the merge base': { head: 'start', ends: requests('tree', 0) },
});
testScans('unscanned-changes', {
  'a run does not apply `paths-unscanned` to a change without files': { head: 'empty', inputs },
});
