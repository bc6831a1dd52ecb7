import { createGitFixture, type FixtureCommit, type GitFixture } from '../../../sandbox/git-fixture.ts';

const MEDIUM = 'export const agent = (https) => new https.Agent({ rejectUnauthorized: false });\n';
const LOW = "export const sum = (crypto, text) => crypto.createHash('sha1').update(text).digest('hex');\n";
const HIGH = 'export const find = (db, x) => db.query("SELECT * FROM t WHERE x = \'" + x + "\'");\n';
const CRITICAL =
  "import { exec } from 'node:child_process';\nexport const pack = (request) => exec('tar czf out.tgz ' + request.query.name);\n";
const CLEAN = { 'src/app.js': 'export const bye = () => "Bye";\n' };
const VULNERABLE = {
  'src/pack.js': CRITICAL,
  'src/find.js': HIGH,
  'src/agent.js': MEDIUM,
  'src/sum.js': LOW,
};

const CHANGES = {
  clean: CLEAN,
  low: { 'src/sum.js': LOW },
  medium: { 'src/agent.js': MEDIUM, 'src/sum.js': LOW },
  vulnerable: VULNERABLE,
} as const;

export type HeadName = (typeof HEADS)[number];
/**
 * The heads that a pull request can have. `nothing` changes no file, and `docs` changes only a document. For `stack`
 * and the heads on top of it, the changed files depend on the base branch.
 */
export const HEADS = [
  'clean 1',
  'clean 2',
  'low 1',
  'medium 1',
  'medium 2',
  'vulnerable 1',
  'vulnerable 2',
  'nothing',
  'docs',
  'stack',
  'stacked 1',
  'stacked 2',
  'stacked docs',
] as const;
export const STACKED: readonly HeadName[] = ['stack', 'stacked 1', 'stacked 2', 'stacked docs'];

export type BaseBranch = (typeof BASE_BRANCHES)[number];
export const BASE_BRANCHES = ['main', 'stack'] as const;
/** The commits that a base branch moves between. The branch starts at the first commit. */
export const TIPS: Readonly<Record<BaseBranch, readonly [string, string]>> = {
  main: ['moved on', 'merged'],
  stack: ['stack', 'start'],
};

/** The folder whose files match `paths-unscanned`. */
export const UNSCANNED = 'docs/';

const COMMITS: readonly FixtureCommit[] = [
  { name: 'start', parents: [], files: { 'README.md': '# App\n' } },
  { name: 'moved on', parents: ['start'], files: { 'src/admin.js': HIGH } },
  ...Object.entries(CHANGES).flatMap(([kind, files]) =>
    ['1', '2'].map((number): FixtureCommit => {
      return {
        name: `${kind} ${number}`,
        parents: ['start'],
        files: { ...files, 'notes.txt': `${number}\n` },
      };
    }),
  ),
  { name: 'nothing', parents: ['start'] },
  { name: 'docs', parents: ['start'], files: { 'docs/guide.md': '# Guide\n' } },
  { name: 'stack', parents: ['start'], files: { ...VULNERABLE, 'notes.txt': 'stack\n' } },
  { name: 'stacked 1', parents: ['stack'], files: { ...CLEAN, 'notes.txt': '3\n' } },
  { name: 'stacked 2', parents: ['stack'], files: { ...CLEAN, 'notes.txt': '4\n' } },
  { name: 'stacked docs', parents: ['stack'], files: { 'docs/guide.md': '# Guide\n' } },
  { name: 'merged', parents: ['moved on', 'stack'], files: { ...VULNERABLE, 'notes.txt': 'stack\n' } },
];

/** One repository for all histories. They only read it. */
export function createFixtureRepository(): Promise<GitFixture> {
  const branches = Object.fromEntries(BASE_BRANCHES.map((branch) => [branch, TIPS[branch][0]]));
  return createGitFixture({ bare: true, branches, commits: COMMITS });
}

/** The merge base of two commits. It is computed from the description of the repository, and not by git. */
export function mergeBaseName(one: string, other: string): string {
  const ofOne = ancestorsOf(one);
  const shared = [...ancestorsOf(other)].filter((name) => ofOne.has(name));
  const best = shared.find((name) => shared.every((each) => ancestorsOf(name).has(each)));
  if (best === undefined) throw new Error(`${one} and ${other} have no single merge base`);
  return best;
}

/**
 * Whether all files that change between the merge base and the head match `paths-unscanned`. False if no file changes.
 */
export function changesUnscannedOnly(base: string, head: string): boolean {
  const between = [...ancestorsOf(head)].filter((name) => !ancestorsOf(base).has(name));
  const files = COMMITS.filter(({ name }) => between.includes(name)).flatMap(({ files: changed = {} }) =>
    Object.keys(changed),
  );
  return files.length > 0 && files.every((file) => file.startsWith(UNSCANNED));
}

/** The names of the commits by their ids. */
export function commitNames(repository: GitFixture): ReadonlyMap<string, string> {
  return new Map(COMMITS.map(({ name }) => [repository.id(name), name]));
}

/** The commit and its ancestors. */
function ancestorsOf(name: string): ReadonlySet<string> {
  const commit = COMMITS.find((one) => one.name === name);
  return new Set([name, ...(commit?.parents ?? []).flatMap((parent) => [...ancestorsOf(parent)])]);
}
