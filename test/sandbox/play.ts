import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** A fake server, as a table of requests uses it. */
export interface Player {
  call(method: string, path: string, body: string | undefined): Promise<Called>;
  /** The ids by the names that the table has for them, as they are now. */
  ids(): ReadonlyMap<string, string>;
  /** Does what a line in parentheses says. Undefined if it does not know the line. */
  happens(what: string): (() => unknown) | undefined;
  /** Replaces what differs from run to run, such as times. */
  steady(text: string): string;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The lines `with:` and `as:` of a section: the setup of the server, and who sends the requests. */
export interface Circumstances {
  readonly with: string | undefined;
  readonly as: string | undefined;
}

/**
 * Plays a table of requests, and compares the answers. Each section of the table starts a server. It has these lines:
 *
 * - `## ` and what the section shows, and the address of the page that documents it
 * - `with:` and the setup of the server, `as:` and who sends the requests, `show:` and the members of the answers to show
 * - `(…)`: something that happens now
 * - the method, the path and the body of a request. `{name}` stands for an id
 * - `→` and the answer. These lines are not read, but compared
 */
export async function expectTable(file: string, open: (circumstances: Circumstances) => Promise<Player>) {
  const sections = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const played: string[] = [];
  for (const section of sections) {
    const lines = section.split('\n').filter((line) => line !== '' && !line.startsWith('→'));
    const value = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const player = await open({ with: value('with'), as: value('as') });
    played.push(`${(await answered(player, lines, value('show') ?? '')).join('\n')}\n`);
  }
  await expect(played.join('\n')).toMatchFileSnapshot(file);
}

const NO_STEP = /^(?:## |https:|with: |as: |show: )/;

/** Returns the lines of a section, each request with its answer. */
async function answered(player: Player, lines: readonly string[], show: string): Promise<string[]> {
  const shown: string[] = [];
  let query = '';
  for (const line of lines) {
    shown.push(line);
    if (NO_STEP.test(line)) continue;
    if (line.startsWith('(')) {
      const happen = player.happens(line.slice(1, -1));
      if (happen === undefined) throw new Error(`nothing is known of ${line}`);
      happen();
      continue;
    }
    const [, method = '', path = '', rest = ''] =
      /^(\S+) (\S+)(?: (.*))?$/.exec(
        long(line).replace(/\{(\w+)\}/g, (whole, name) => player.ids().get(name) ?? whole),
      ) ?? [];
    if (path === 'graphql' && !rest.startsWith('(the same query)')) query = rest;
    const body = path === 'graphql' ? graphqlBody(rest, query) : rest === '' ? undefined : rest;
    const answer = await player.call(method, path, body);
    const text = describe(answer, show);
    const named = [...player.ids()].reduce((kept, [name, id]) => kept.replaceAll(id, `{${name}}`), text);
    shown.push(brief(player.steady(`→ ${answer.status} ${named}`)).trimEnd());
  }
  return shown;
}

/** A GraphQL request is the text of the query, and `with` its variables. */
function graphqlBody(rest: string, before: string): string {
  if (rest.startsWith('{"')) return rest;
  const [, text = '', variables] = /^(.*?)(?: with (\{.*\}))?$/.exec(rest) ?? [];
  const query = text === '(the same query)' ? before.replace(/ with \{.*\}$/, '') : text;
  return JSON.stringify({ query, ...(variables === undefined ? {} : { variables: JSON.parse(variables) }) });
}

const SHOWN_HEADERS = ['retry-after', 'x-accepted-github-permissions'];

function describe({ headers, body }: Called, show: string): string {
  const members = show.split(' ').concat('data errors message error.code error.message'.split(' '));
  const texts = members.flatMap((path): string[] => {
    const value = path === '' ? undefined : at(body, path);
    return value === undefined ? [] : [`${path} ${JSON.stringify(value)}`];
  });
  const pages = [...(headers.get('link') ?? '').matchAll(/[?&]page=(\d+)>; rel="(\w+)"/g)];
  const others = SHOWN_HEADERS.filter((name) => headers.has(name)).map(
    (name) => `${name}: ${headers.get(name)}`,
  );
  return [...texts, ...pages.map(([, page, rel]) => `${rel} page ${page}`), ...others].join('; ');
}

/** Shortens characters and objects that are repeated often. */
export function brief(text: string): string {
  return text
    .replaceAll(/(.)\1{60,}/g, (run, character) => `${character}… (${run.length} times)`)
    .replaceAll(/(\{[^{}]*\})(?:,\1){9,}/g, (run, one) => `${one}… (${run.split(one).length - 1} times)`);
}

/** Repeats what `brief` has shortened. */
function long(text: string): string {
  return text
    .replaceAll(/(\{[^{}]*\})… \((\d+) times\)/g, (_, one, times) => Array(Number(times)).fill(one).join(','))
    .replaceAll(/(.)… \((\d+) times\)/g, (_, character: string, times) => character.repeat(Number(times)));
}

/**
 * The value at a path of a parsed body, such as `commits.*.sha`. `*` stands for every item of a list, and a number for
 * one item.
 */
export function at(value: unknown, path: string): unknown {
  const [key, ...rest] = path.split('.');
  if (key === undefined || key === '') return value;
  const tail = rest.join('.');
  if (Array.isArray(value) && key === '*') return value.map((item: unknown) => at(item, tail));
  if (typeof value !== 'object' || value === null) return undefined;
  return at(Reflect.get(value, key), tail);
}
