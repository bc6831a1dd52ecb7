/** A request, a request with a body, or something that happens between two requests. `{name}` stands for an id. */
export type Step<Server> =
  | string
  | readonly [request: string, body: unknown]
  | { readonly happens: string; readonly change: (server: Server) => unknown };

/** Something that happens between two requests. */
export function happens<Server>(what: string, change: (server: Server) => unknown) {
  return { happens: what, change };
}

/** A fake server, as the steps of a table use it. */
export interface Player<Server> {
  readonly server: Server;
  call(method: string, path: string, body: string | undefined): Promise<Called>;
  /** The ids by their names, as they are now. */
  ids(): ReadonlyMap<string, string>;
  /** Replaces what differs from run to run, such as times. */
  steady(text: string): string;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const SHOWN_HEADERS = ['retry-after', 'x-accepted-github-permissions'];

/**
 * Sends the requests of a table to a fake server. Returns them with the answers, one line each.
 * @param show the members of the answers to show, separated by spaces. An answer without these members has none
 */
export async function play<Server>(
  { server, call, ids, steady }: Player<Server>,
  steps: readonly Step<Server>[],
  show: string,
): Promise<string> {
  const lines: string[] = [];
  for (const step of steps) {
    if (typeof step === 'object' && 'happens' in step) {
      step.change(server);
      lines.push(`(${step.happens})`);
      continue;
    }
    const [request, body] = typeof step === 'string' ? [step] : step;
    const sent = body === undefined ? '' : brief(readable(body, lines.join('\n')));
    lines.push(steady(`${request} ${sent}`.trimEnd()));
    const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name) => ids().get(name) ?? whole);
    const [method = '', path = ''] = filled(request).split(' ');
    const answer = await call(method, path, body === undefined ? undefined : filled(JSON.stringify(body)));
    const named = [...ids()].reduce(
      (text, [name, id]) => text.replaceAll(id, `{${name}}`),
      shown(answer, show),
    );
    lines.push(brief(steady(`→ ${answer.status} ${named}`.trimEnd())));
  }
  return `${lines.join('\n')}\n`;
}

function shown({ headers, body }: Called, show: string): string {
  const members = show.split(' ').flatMap((path): string[] => {
    const value = path === '' ? undefined : at(body, path);
    return value === undefined ? [] : [`${path} ${JSON.stringify(value)}`];
  });
  const pages = [...(headers.get('link') ?? '').matchAll(/[?&]page=(\d+)>; rel="(\w+)"/g)];
  const others = SHOWN_HEADERS.filter((name) => headers.has(name)).map(
    (name) => `${name}: ${headers.get(name)}`,
  );
  return [...members, ...pages.map(([, page, rel]) => `${rel} page ${page}`), ...others].join('; ');
}

/** The text of a GraphQL query is shown as it is, without the variables if there are none. */
function readable(body: unknown, before: string): string {
  const query = at(body, 'query');
  if (typeof query !== 'string') return JSON.stringify(body);
  const text = query.replace(/\s+/g, ' ');
  return `${before.includes(text) ? '(the same query)' : text} ${JSON.stringify(at(body, 'variables')) ?? ''}`;
}

/** Shortens characters and objects that are repeated often. */
export function brief(text: string): string {
  return text
    .replaceAll(/(.)\1{60,}/g, (run, character) => `${character}… (${run.length} times)`)
    .replaceAll(/(\{[^{}]*\})(?:,\1){9,}/g, (run, one) => `${one}… (${run.split(one).length - 1} times)`);
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
