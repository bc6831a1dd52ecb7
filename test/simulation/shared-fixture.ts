import type { Answer } from '../../sandbox/faults/interception.ts';
import { createGitFixture, type GitFixture } from '../../sandbox/git-fixture.ts';
import { startFakeGitHub } from '../../sandbox/github/server.ts';
import { type Analysis, analyze } from '../../sandbox/scan-service/analyzer/analyze.ts';

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
  /** The answer of the fake GitHub to a comparison of the base branch with this head. */
  comparisonOf(head: HeadName): Answer;
  /** Works like the service's analyzer, but analyzes each head only once. */
  readonly analyze: typeof analyze;
  remove(): Promise<void>;
}

const REPOSITORY = 'octo-org/octo-repo';

export async function createSharedFixture(): Promise<SharedFixture> {
  const repository = await createRepository();
  const github = await startFakeGitHub({ repository: REPOSITORY, directory: repository.dir });
  const compare = async (head: HeadName): Promise<Answer> => {
    const basehead = `main...${repository.id(head)}`;
    const response = await fetch(
      `${github.apiUrl}/repos/${REPOSITORY}/compare/${basehead}?per_page=1&page=2`,
      { headers: { authorization: `Bearer ${github.token}` } },
    );
    return { status: response.status, body: await response.json() };
  };
  const comparisons = {
    medium: await compare('medium'),
    vulnerable: await compare('vulnerable'),
    many: await compare('many'),
  };
  await github.close();
  const analyses = new Map<string, Promise<Analysis>>();
  return {
    repository,
    comparisonOf: (head) => comparisons[head],
    analyze(target) {
      const known = analyses.get(target.commit) ?? analyze(target);
      analyses.set(target.commit, known);
      return known;
    },
    remove: () => repository.remove(),
  };
}

/** Creates a repository in which every head is one commit after the base branch. */
function createRepository(): Promise<GitFixture> {
  const lows = Array.from({ length: MORE_THAN_A_PAGE }, (_, index) => low(index)).join('\n');
  return createGitFixture({
    bare: true,
    branches: { main: 'start' },
    commits: [
      { name: 'start', files: { 'README.md': '# App\n', [GUIDANCE_FILE]: 'Mind.\n' } },
      { name: 'medium', parents: ['start'], files: { 'src/agent.js': MEDIUM } },
      { name: 'vulnerable', parents: ['start'], files: { 'src/agent.js': MEDIUM, 'src/find.js': HIGH } },
      { name: 'many', parents: ['start'], files: { 'src/a.js': `${lows}\n`, 'src/z.js': HIGH } },
    ],
  });
}
