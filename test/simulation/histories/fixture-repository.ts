import { createGitFixture, type FixtureCommit, type GitFixture } from '../../../sandbox/git-fixture.ts';

const MEDIUM = 'export const agent = (https) => new https.Agent({ rejectUnauthorized: false });\n';
const LOW = "export const sum = (crypto, text) => crypto.createHash('sha1').update(text).digest('hex');\n";
const HIGH = 'export const find = (db, x) => db.query("SELECT * FROM t WHERE x = \'" + x + "\'");\n';
const CRITICAL =
  "import { exec } from 'node:child_process';\nexport const pack = (request) => exec('tar czf out.tgz ' + request.query.name);\n";

const CHANGES = {
  clean: { 'src/app.js': 'export const bye = () => "Bye";\n' },
  low: { 'src/sum.js': LOW },
  medium: { 'src/agent.js': MEDIUM, 'src/sum.js': LOW },
  vulnerable: { 'src/pack.js': CRITICAL, 'src/find.js': HIGH, 'src/agent.js': MEDIUM, 'src/sum.js': LOW },
} as const;

export type HeadName = (typeof HEADS)[number];
/** The heads that a pull request can have: two of each kind, and one that changes nothing. */
export const HEADS = [
  'clean 1',
  'clean 2',
  'low 1',
  'medium 1',
  'medium 2',
  'vulnerable 1',
  'vulnerable 2',
  'nothing',
] as const;
/** Of every head with the base branch, which has moved on. */
export const MERGE_BASE = 'start';

/** One repository for all histories; only ever read. */
export function createFixtureRepository(): Promise<GitFixture> {
  const heads = Object.entries(CHANGES).flatMap(([kind, files]) =>
    ['1', '2'].map((number): FixtureCommit => {
      return {
        name: `${kind} ${number}`,
        parents: [MERGE_BASE],
        files: { ...files, 'notes.txt': `${number}\n` },
      };
    }),
  );
  return createGitFixture({
    bare: true,
    branches: { main: 'moved on' },
    commits: [
      { name: MERGE_BASE, files: { 'README.md': '# App\n' } },
      { name: 'moved on', files: { 'src/admin.js': HIGH } },
      ...heads,
      { name: 'nothing', parents: [MERGE_BASE] },
    ],
  });
}
