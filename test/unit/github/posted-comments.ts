import type { GitHubClient } from '../../../src/github/octokit.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { pullRequestByRest, pullRequestNode } from './answers.ts';
import { API, client } from './client.ts';

export interface Posted {
  readonly id: number;
  readonly body: string;
  /** Default: the bot of the workflow. Null if the account was deleted. */
  readonly user?: { readonly login: string; readonly type: string } | null;
}

/** A request: for the pull request with its comments, for the list of comments, or about one comment. */
type Step = 'state' | 'pull' | 'list' | 'post' | 'edit' | 'delete';

/**
 * What happens at a step: GitHub answers with this status, or the posted comments change. `list 2` is the second
 * request for the list.
 */
export type Happens = Partial<Record<`${Step} ${number}`, number | ((posted: Posted[]) => void)>>;

export interface Situation {
  readonly happens?: Happens;
  /** The steps that GitHub carries out although it answers with an error. */
  readonly done?: readonly string[];
  /** The members of the pull request that differ from those of `pullRequestNode`. */
  readonly pull?: Readonly<Record<string, unknown>>;
  /** The login of the account that owns the token. */
  readonly login?: string;
}

export const BOT = { login: 'github-actions[bot]', type: 'Bot' };

export function addressOf(id: number): string {
  return `https://github.com/acme/shop/pull/5#issuecomment-${id}`;
}

/** The pull request 5 with these comments, as a client reads and changes it. */
export function pullRequestWith(before: readonly Posted[], situation: Situation = {}) {
  const { happens = {}, done = [], pull = {}, login = BOT.login } = situation;
  const posted = [...before];
  const steps: Step[] = [];
  const clock = new FakeClock();
  const rest = ({ id, body, user = BOT }: Posted) => ({ id, body, user, html_url: addressOf(id) });
  const answer = (step: Step, id: number, body: string): unknown => {
    const index = posted.findIndex((one) => one.id === id);
    switch (step) {
      case 'state': {
        const comments = { pageInfo: { hasNextPage: false }, nodes: posted.map(node) };
        const repository = { pullRequest: pullRequestNode({ comments, ...pull }) };
        return { data: { viewer: { login }, repository } };
      }
      case 'pull':
        return pullRequestByRest();
      case 'list':
        return posted.map(rest);
      case 'post':
        posted.push({ id: 100 + posted.length, body });
        return rest(posted.at(-1) ?? { id: 0, body });
      case 'edit':
        posted[index] = { id, body };
        return rest({ id, body });
      case 'delete':
        return posted.splice(index, 1);
    }
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const step = stepOf(init?.method ?? '', String(input).replace(API, ''));
    steps.push(step);
    const name = `${step} ${steps.filter((one) => one === step).length}` as const;
    const what = happens[name];
    if (typeof what === 'function') what(posted);
    init?.signal?.throwIfAborted();
    const { body = '' }: { body?: string } = JSON.parse(String(init?.body ?? '{}'));
    const isDone = typeof what !== 'number' || done.includes(name);
    const shownBody = isDone
      ? answer(step, Number(String(input).split('/').at(-1)), body)
      : { message: 'no' };
    const status = typeof what === 'number' ? what : 200;
    return Response.json(shownBody, { status });
  };
  const github: GitHubClient = client({ fetch, clock });
  const waits = () => clock.sleeps.map((ms) => `, waits ${ms} ms`);
  return { github, posted, steps: () => [steps.join(' '), ...waits()].join('') };
}

/** A comment as GraphQL shows it. GraphQL names an app without the suffix `[bot]`. */
function node({ id, body, user = BOT }: Posted) {
  const author = user === null ? null : { __typename: user.type, login: user.login.replace(/\[bot\]$/, '') };
  return { fullDatabaseId: String(id), url: addressOf(id), body, author };
}

function stepOf(method: string, path: string): Step {
  if (path === '/graphql') return 'state';
  if (path.includes('/pulls/')) return 'pull';
  if (method === 'POST') return 'post';
  if (method === 'PATCH') return 'edit';
  return method === 'DELETE' ? 'delete' : 'list';
}
