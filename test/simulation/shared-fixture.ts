import { createGitFixture, type GitFixture } from '../../sandbox/git-fixture.ts';

/**
 * The heads, by their findings:
 * - `medium`: one finding that does not block, so the change passes and gets a comment.
 * - `vulnerable`: two findings that block.
 * - `many`: two pages of findings. The only finding that blocks is on the second page.
 */
export type HeadName = 'medium' | 'vulnerable' | 'many';

const MEDIUM = 'export const agent = (https) => new https.Agent({ rejectUnauthorized: false });\n';
const HIGH = 'export const find = (db, x) => db.query("SELECT * FROM t WHERE x = \'" + x + "\'");\n';
const low = (index: number) =>
  `export const sum${index} = (crypto, text) => crypto.createHash('sha1').update(text).digest('hex');`;
/** Slightly more than the contract's largest page. */
const MORE_THAN_A_PAGE = 104;

/** The file is in the root folder, so one request is enough to find it. */
export const GUIDANCE_FILE = 'GUIDANCE.md';

/** What all cells share. It is created once, and only read. */
export interface SharedFixture {
  readonly repository: GitFixture;
  remove(): Promise<void>;
}

/** Creates a repository in which every head is one commit after the base branch. */
export async function createSharedFixture(): Promise<SharedFixture> {
  const lows = Array.from({ length: MORE_THAN_A_PAGE }, (_, index) => low(index)).join('\n');
  const repository = await createGitFixture({
    bare: true,
    branches: { main: 'start' },
    commits: [
      { name: 'start', files: { 'README.md': '# App\n', [GUIDANCE_FILE]: 'Mind.\n' } },
      { name: 'medium', parents: ['start'], files: { 'src/agent.js': MEDIUM } },
      { name: 'vulnerable', parents: ['start'], files: { 'src/agent.js': MEDIUM, 'src/find.js': HIGH } },
      { name: 'many', parents: ['start'], files: { 'src/a.js': `${lows}\n`, 'src/z.js': HIGH } },
    ],
  });
  return { repository, remove: () => repository.remove() };
}
