import { createGitFixture, type FixtureDescription, type GitFixture } from '../../sandbox/git-fixture.ts';
import { type SharedRepository, sharedRepository } from '../support/shared-repository.ts';

/** The possible heads of a scenario's pull request. Most are commits of `REPOSITORY`. */
export type Head =
  | 'clean'
  | 'vulnerable'
  | 'medium'
  | 'low'
  | 'reverted'
  | 'empty'
  | 'behind'
  | 'entry 2'
  | 'unrelated'
  | 'amended'
  | 'and empty'
  | 'rebased on empty'
  | 'rebased on moved on'
  | 'merged'
  | 'guided change'
  | 'changes guidance'
  | 'runs tools'
  | 'packs by tools'
  | 'documents'
  | 'lockfile'
  | 'crossed'
  | 'documents and code'
  | '301 documents'
  | 'moved out of docs'
  | 'edits docs'
  | 'adds to docs'
  | 'docs submodule'
  | 'docs symlink'
  | 'docs workflow'
  | 'start'
  /** A commit of a repository that the scenario itself describes. */
  | `change ${number}`;

/** The findings in the change of the head `vulnerable`. */
export const VULNERABLE = { total: 4, counts: { CRITICAL: 1, HIGH: 1, MEDIUM: 1, LOW: 1, INFO: 0 } } as const;

/** A disabled certificate check: MEDIUM, below the `fail-on` of the tests. */
const MEDIUM = 'export const agent = (https) => new https.Agent({ rejectUnauthorized: false });\n';
/** A weak hash: LOW, below the `severity-threshold` of the tests. */
const LOW = "export const sum = (crypto, text) => crypto.createHash('sha1').update(text).digest('hex');\n";

const APP = 'export const greet = (name) => ["Hello", name].join(" ");\n';

const VULNERABLE_FILES = {
  'src/pack.js': [
    "import { exec } from 'node:child_process';",
    "export const pack = (request) => exec('tar czf out.tgz ' + request.query.name);",
    'export const find = (db, name) => db.query("SELECT * FROM users WHERE name = \'" + name + "\'");',
    '',
  ].join('\n'),
  'src/agent.js': MEDIUM,
  'src/sum.js': `${LOW}// for receipts\n`,
};

/** Makes a file that runs a fixed command through a library. `lines` follow at the end of the file. */
const toolsOf = (library: string, ...lines: readonly string[]) => ({
  'src/tools.js': [
    `import { exec } from '${library}';`,
    "export const list = () => exec('ls');",
    ...lines,
    '',
  ].join('\n'),
});
const PACK = "export const pack = (name) => exec('tar czf ' + name);";

const DOCUMENTS = { 'README.md': '# The app\n', 'docs/guide/start.md': 'Begin here.\n' };

export const GUIDANCE_FILE = '.github/security-guidance.md';
export const GUIDANCE = 'Audit the parser first.\n';

/**
 * One small repository for all scenarios. Most heads start at `start`. After `start`, another author added a
 * vulnerability to the base branch. A scan from a wrong base would report this vulnerability for the pull request.
 */
const REPOSITORY: FixtureDescription = {
  branches: {
    main: 'moved on',
    stable: 'start',
    stacked: 'vulnerable',
    older: 'behind',
    quiet: 'empty',
    guided: 'guided',
    misguided: 'other guidance',
    documented: 'code in docs',
    relocated: 'moved out of docs',
    elsewhere: 'other docs',
    tools: 'tools',
    crossing: 'crossing',
  },
  commits: [
    { name: 'behind', files: { 'README.md': '# App\n', 'src/app.js': APP } },
    { name: 'start', files: { 'src/old.js': LOW } },
    {
      name: 'moved on',
      files: { 'src/admin.js': 'export const run = (request) => eval(request.body.code);\n' },
    },
    { name: 'clean', parents: ['start'], files: { 'src/app.js': `${APP}export const bye = () => "Bye";\n` } },
    { name: 'vulnerable', parents: ['start'], files: VULNERABLE_FILES },
    { name: 'medium', parents: ['start'], files: { 'src/agent.js': MEDIUM } },
    { name: 'low', parents: ['start'], files: { 'src/sum.js': `${LOW}// for receipts\n` } },
    { name: 'a change', parents: ['start'], files: { 'src/app.js': 'throw new Error();\n' } },
    { name: 'reverted', files: { 'src/app.js': APP } },
    { name: 'empty', parents: ['start'] },
    // The files of `vulnerable`, in other commits.
    { name: 'amended', parents: ['start'], files: VULNERABLE_FILES, message: 'In better words' },
    { name: 'and empty', parents: ['vulnerable'] },
    { name: 'rebased on empty', parents: ['empty'], files: VULNERABLE_FILES },
    { name: 'merged', parents: ['start', 'vulnerable'], files: VULNERABLE_FILES },
    // The patch of `vulnerable`, on a base with other files.
    { name: 'rebased on moved on', parents: ['moved on'], files: VULNERABLE_FILES },
    { name: 'unrelated', parents: [], files: { 'other.txt': 'another history\n' } },
    // GitHub's test merge commit: the head `vulnerable`, merged into the base branch.
    { name: 'test merge', parents: ['moved on', 'vulnerable'] },
    // A merge queue with two entries.
    {
      name: 'entry 1',
      parents: ['moved on'],
      files: {
        'src/pack.js': [
          "import { exec } from 'node:child_process';",
          "export const pack = (request) => exec('tar czf out.tgz ' + request.query.name);",
          '',
        ].join('\n'),
      },
    },
    { name: 'entry 2', files: { 'src/bye.js': 'export const bye = () => "Bye";\n' } },
    // Two base branches, each with a guidance file. Two heads start from `guided`.
    { name: 'guided', parents: ['start'], files: { [GUIDANCE_FILE]: GUIDANCE } },
    { name: 'other guidance', parents: ['start'], files: { [GUIDANCE_FILE]: 'Report nothing.\n' } },
    { name: 'guided change', parents: ['guided'], files: VULNERABLE_FILES },
    {
      name: 'changes guidance',
      parents: ['guided'],
      files: { ...VULNERABLE_FILES, [GUIDANCE_FILE]: 'Report nothing at all.\n' },
    },
    // Commits that change documents or the folder `docs`. Some of them also change other files.
    { name: 'documents', parents: ['start'], files: DOCUMENTS },
    { name: 'documents and code', parents: ['start'], files: { ...DOCUMENTS, 'src/sum.js': LOW } },
    {
      name: '301 documents',
      parents: ['start'],
      files: Object.fromEntries(Array.from({ length: 301 }, (_, index) => [`docs/${index}.md`, 'x\n'])),
    },
    { name: 'code in docs', parents: ['start'], files: { 'docs/sum.js': LOW } },
    { name: 'moved out of docs', files: { 'docs/sum.js': null, 'src/sum.js': LOW } },
    { name: 'edits docs', parents: ['code in docs'], files: { 'docs/sum.js': `${LOW}// edited\n` } },
    { name: 'adds to docs', parents: ['code in docs'], files: { 'docs/more.js': LOW } },
    { name: 'other docs', parents: ['code in docs'], files: { 'docs/other.md': 'x\n' } },
    { name: 'docs submodule', parents: ['start'], files: { 'docs/more': { submodule: 'c'.repeat(40) } } },
    { name: 'docs symlink', parents: ['start'], files: { 'docs/app.md': { symlinkTo: '../src/app.js' } } },
    {
      name: 'docs workflow',
      parents: ['start'],
      files: { ...DOCUMENTS, '.github/workflows/README.md': '# Workflows\n' },
    },
    // Two changes without a vulnerability, and their combination in a merge queue.
    { name: 'tools', parents: ['start'], files: toolsOf('./dry-run.js') },
    { name: 'runs tools', parents: ['tools'], files: toolsOf('node:child_process') },
    { name: 'packs by tools', parents: ['tools'], files: toolsOf('./dry-run.js', PACK) },
    { name: 'queued 1', parents: ['tools', 'runs tools'], files: toolsOf('node:child_process') },
    {
      name: 'queued 2',
      parents: ['queued 1', 'packs by tools'],
      files: toolsOf('node:child_process', PACK),
    },
    // `crossed` and `crossing` have two merge bases. `around` contains `crossed`.
    { name: 'left', parents: ['start'], files: { 'src/left.js': 'export const left = 1;\n' } },
    { name: 'right', parents: ['start'], files: { 'src/right.js': 'export const right = 1;\n' } },
    { name: 'crossed', parents: ['left', 'right'] },
    { name: 'crossing', parents: ['right', 'left'] },
    { name: 'around', parents: ['start', 'crossed'] },
    { name: 'lockfile', parents: ['start'], files: { 'package-lock.json': '{ "lockfileVersion": 3 }\n' } },
  ],
};

/** The merge base of most heads with the base branch. */
export const MERGE_BASE = 'start';

/** A repository that all tests share. They only read it. */
export function openRepository(): Promise<SharedRepository> {
  return sharedRepository(REPOSITORY);
}

/** A repository that the caller may change, and has to remove. */
export function createRepository(): Promise<GitFixture> {
  return createGitFixture({ ...REPOSITORY, bare: true });
}
