import type { GitMirror } from './git-mirror.ts';
import type { Urls } from './pull-requests.ts';

const FIELD = '\u001f';
const FORMAT = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x1f');

/** A commit as git shows it. */
export interface Commit {
  readonly sha: string;
  readonly tree: string;
  /**
   * Everything that git printed about the commit. The dates are parsed only when the commit is rendered, because an
   * impossible date throws.
   */
  readonly fields: readonly string[];
}

/** Reads a commit by its id, or by the id of a tag that points to it. Undefined if there is no such commit. */
export async function readCommit(mirror: GitMirror, id: string): Promise<Commit | undefined> {
  const shown = ['log', '--no-walk', '-z', `--format=${FORMAT}`, `${id}^{commit}`, '--'];
  const [record] = records(await mirror.ask([id], shown));
  return record === undefined ? undefined : toCommit(record);
}

/**
 * Returns the commits that only the base has, and the commits that only the head has. Each list begins with the oldest
 * commit.
 */
export async function readDifference(mirror: GitMirror, base: string, head: string) {
  const format = `--format=%m%x1f${FORMAT}`;
  const shown = ['log', '--left-right', '--reverse', '-z', format, `${base}...${head}`, '--'];
  const answer = await mirror.ask([base, head], shown);
  if (answer === undefined) throw new Error('git cannot read the commits');
  const all = records(answer);
  const of = (side: string) => all.filter(([mark]) => mark === side).map(([, ...fields]) => toCommit(fields));
  return { ofBase: of('<'), ofHead: of('>') };
}

function records(answer: Buffer | undefined): string[][] {
  const text = answer?.toString('utf8') ?? '';
  return text
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => record.split(FIELD));
}

function toCommit(fields: readonly string[]): Commit {
  const [sha = '', tree = ''] = fields;
  return { sha, tree, fields };
}

/** Makes the JSON of a commit. GitHub's own JSON also names accounts, which git does not store. */
export function renderCommit({ sha, tree, fields }: Commit, urls: Urls) {
  const at = (index: number) => fields[index] ?? '';
  const person = (first: number) => ({
    name: at(first),
    email: at(first + 1),
    date: new Date(at(first + 2)).toISOString().replace('.000Z', 'Z'),
  });
  const message = fields.slice(9).join(FIELD).trimEnd();
  return {
    sha,
    url: `${urls.api}/commits/${sha}`,
    html_url: `${urls.html}/commit/${sha}`,
    commit: { author: person(3), committer: person(6), message, tree: { sha: tree } },
    parents: at(2)
      .split(' ')
      .filter((parent) => parent !== '')
      .map((parent) => ({ sha: parent })),
  };
}
