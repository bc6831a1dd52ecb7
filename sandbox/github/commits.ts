import type { GitMirror } from './git-mirror.ts';

/** A commit in GitHub's commit list, without the account members, which a local repository does not have. */
export interface CommitAnswer {
  readonly sha: string;
  readonly url: string;
  readonly html_url: string;
  readonly commit: {
    readonly author: PersonAnswer;
    readonly committer: PersonAnswer;
    readonly message: string;
    readonly tree: { readonly sha: string };
  };
  readonly parents: readonly { readonly sha: string }[];
}

interface PersonAnswer {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

const FIELD = '\u001f';
const FORMAT = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x1f');

/** Reads commits by id, in the order given. */
export async function readCommits(
  mirror: GitMirror,
  ids: readonly string[],
  urls: { readonly api: string; readonly html: string },
): Promise<CommitAnswer[]> {
  if (ids.length === 0) return [];
  const out = await mirror.ask(ids, ['log', '--no-walk=unsorted', '-z', `--format=${FORMAT}`, ...ids]);
  if (out === undefined) throw new Error('git cannot read the commits');
  return out
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => toAnswer(record.split(FIELD), urls));
}

function toAnswer(
  fields: readonly string[],
  urls: { readonly api: string; readonly html: string },
): CommitAnswer {
  const at = (index: number) => fields[index] ?? '';
  const person = (first: number): PersonAnswer => ({
    name: at(first),
    email: at(first + 1),
    date: new Date(at(first + 2)).toISOString().replace('.000Z', 'Z'),
  });
  const sha = at(0);
  return {
    sha,
    url: `${urls.api}/commits/${sha}`,
    html_url: `${urls.html}/commit/${sha}`,
    commit: {
      author: person(3),
      committer: person(6),
      message: fields.slice(9).join(FIELD).trimEnd(),
      tree: { sha: at(1) },
    },
    parents: at(2)
      .split(' ')
      .filter((parent) => parent !== '')
      .map((parent) => ({ sha: parent })),
  };
}
