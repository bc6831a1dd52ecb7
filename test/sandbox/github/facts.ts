import type { FakeGitHub, GitHubOptions } from '../../../sandbox/github/server.ts';
import { play, type Step } from '../play.ts';
import { COMMITS, setup } from './fixture.ts';

export interface Server {
  readonly github: FakeGitHub;
  readonly id: (commit: string) => string;
}

/** A fact about GitHub, as GitHub's own page states it. */
export interface Fact {
  readonly name: string;
  /** The page below `docs.github.com/en`. */
  readonly page: string;
  readonly options?: Partial<GitHubOptions>;
  /** Happens before the requests. */
  readonly before?: (github: FakeGitHub) => void;
  /** Default: the workflow token. */
  readonly as?: 'anonymous' | 'a wrong token';
  readonly steps: readonly Step<Server>[];
  /** The members of the answers to show, separated by spaces. The message of a refusal is always shown. */
  readonly show?: string;
}

/** Plays a fact against a fake GitHub. `{t1}` stands for the id of a commit. */
export async function played({ name, page, options, as, before, steps, show = '' }: Fact): Promise<string> {
  const { github, repo, call } = await setup(options);
  const authorization = as === 'anonymous' ? '' : as === 'a wrong token' ? 'Bearer ghs_wrong' : undefined;
  before?.(github);
  const player = {
    server: { github, id: repo.id },
    call: (method: string, path: string, body?: string) => call(method, path, body, authorization),
    ids: () => new Map(COMMITS.map((commit) => [commit, repo.id(commit)])),
    steady: (text: string) =>
      text
        .replaceAll(github.serverUrl, 'SERVER')
        .replaceAll(/20(?!24-01)\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME'),
  };
  const lines = await play(player, steps, `${show} data errors message`);
  return `## ${name}${as === undefined ? '' : ` (${as})`}\nhttps://docs.github.com/en/${page}\n\n${lines}`;
}
