import type { FakeGitHub, GitHubOptions } from '../../../sandbox/github/server.ts';
import { at, COMMITS, type Setup, setup } from './fixture.ts';

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
  readonly steps: readonly Step[];
  /** The members of the answers to show, separated by spaces. The message of a refusal is always shown. */
  readonly show?: string;
}

/** A request, a request with a body, or something that happens between two requests. `{t1}` stands for a commit id. */
type Step =
  | string
  | readonly [request: string, body: unknown]
  | { readonly happens: string; readonly change: (github: FakeGitHub, id: (name: string) => string) => void };

/** Sends the requests of a fact to a fake GitHub. Returns them with the answers, without times and ids of objects. */
export async function played(fact: Fact): Promise<string> {
  const { name, page, as, before, steps, show = '' } = fact;
  const { github, repo, call } = await setup(fact.options);
  const authorization = as === 'anonymous' ? '' : as === 'a wrong token' ? 'Bearer ghs_wrong' : undefined;
  before?.(github);
  const lines = [`## ${name}${as === undefined ? '' : ` (${as})`}`, `https://docs.github.com/en/${page}`, ''];
  for (const step of steps) {
    if (typeof step === 'object' && 'happens' in step) {
      step.change(github, repo.id);
      lines.push(`(${step.happens})`);
      continue;
    }
    const [request, body] = typeof step === 'string' ? [step] : step;
    const [method = '', path = ''] = withIds(request, repo).split(' ');
    const sent = body === undefined ? undefined : withIds(JSON.stringify(body), repo);
    const answer = await call(method, path, sent, authorization);
    const shown = describe(answer, path === 'graphql' ? 'data errors message' : `${show} message errors.*`);
    lines.push(
      `${request} ${body === undefined ? '' : brief(readable(body, lines.join('\n')))}`.trimEnd(),
      `→ ${answer.status} ${brief(withNames(shown, github, repo))}`.trimEnd(),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** The text of a GraphQL query is shown as it is, without the variables if there are none. */
function readable(body: unknown, before: string): string {
  const query = at(body, 'query');
  if (typeof query !== 'string') return JSON.stringify(body);
  const text = query.replace(/\s+/g, ' ');
  return `${before.includes(text) ? '(the same query)' : text} ${JSON.stringify(at(body, 'variables')) ?? ''}`;
}

function describe({ headers, body }: Awaited<ReturnType<Setup['call']>>, show: string): string {
  const members = show.split(' ').flatMap((path): string[] => {
    const value = path === '' ? undefined : at(body, path);
    return value === undefined ? [] : [`${path} ${JSON.stringify(value)}`];
  });
  const pages = [...(headers.get('link') ?? '').matchAll(/[?&]page=(\d+)>; rel="(\w+)"/g)];
  return [
    ...members,
    ...pages.map(([, page, rel]) => `${rel} page ${page}`),
    headers.get('x-accepted-github-permissions') ?? '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

function withIds(text: string, repo: Setup['repo']): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (COMMITS.includes(name) ? repo.id(name) : whole));
}

function withNames(text: string, github: FakeGitHub, repo: Setup['repo']): string {
  return COMMITS.reduce((shown, name) => shown.replaceAll(repo.id(name), `{${name}}`), text)
    .replaceAll(github.serverUrl, 'SERVER')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) =>
      time.startsWith('2024-01-01') ? time : 'TIME',
    );
}

/** Shortens characters and objects that are repeated often. */
function brief(text: string): string {
  return text
    .replaceAll(/(.)\1{60,}/g, (run, character) => `${character}… (${run.length} times)`)
    .replaceAll(/(\{[^{}]*\})(?:,\1){9,}/g, (run, one) => `${one}… (${run.split(one).length - 1} times)`);
}
