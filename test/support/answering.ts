/** An answer: its status, its body and its headers. Text is sent as HTML, anything else as JSON. */
export type Reply = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/** A connection that failed, an answer, or a function that makes the answer when the request arrives. */
export type Prepared = Reply | Error | (() => Reply);

/** A `fetch` that gives these answers, in this order, and what it was asked. Paths are shown without `base`. */
export function answering(replies: readonly Prepared[], base: string) {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const ends: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const prepared = replies[asked.length];
    asked.push(`${init?.method} ${String(input).replace(base, '')}`);
    bodies.push(typeof init?.body === 'string' && init.body !== '' ? JSON.parse(init.body) : undefined);
    if (prepared instanceof Error) {
      const { code, cause } = prepared as { code?: unknown; cause?: { code?: unknown } };
      ends.push(code ?? cause?.code);
      throw prepared;
    }
    const reply = typeof prepared === 'function' ? prepared() : prepared;
    const [status, body = {}, headers = {}] = reply ?? [500, { message: 'no answer is prepared' }];
    ends.push(reply === undefined ? 'nothing' : status);
    const isText = typeof body === 'string';
    const type = { 'content-type': isText ? 'text/html' : 'application/json' };
    return new Response(status === 204 ? null : isText ? body : JSON.stringify(body), {
      status,
      headers: { ...type, ...headers },
    });
  };
  return { fetch, asked, bodies, ends };
}

/** Shows requests, how each ended, the waits between them in milliseconds and the result, as a golden file has them. */
export function conversation(
  what: string,
  requests: readonly string[],
  ends: readonly unknown[],
  sleeps: readonly number[],
  result: string,
): string {
  const lines = requests.map((request, index) => `${request} -> ${ends[index]}`);
  const waits = sleeps.length === 0 ? [] : [`waits ${sleeps.join(', ')} ms`];
  return [`${what}:`, ...repeated(lines), ...waits, `= ${result}`].join('\n  ');
}

/** Shows requests that follow each other as one if they are equal, or differ only in their page. */
function repeated(requests: readonly string[]): string[] {
  const groups: string[][] = [];
  const pageless = (request = '') => request.replace(/\bpage=\d+/, 'page=');
  for (const request of requests) {
    const last = groups.at(-1);
    if (last !== undefined && pageless(last[0]) === pageless(request)) last.push(request);
    else groups.push([request]);
  }
  return groups.map(([first = '', ...more]) =>
    more.length === 0 ? first : `${first} (${more.length + 1} ${more.includes(first) ? 'times' : 'pages'})`,
  );
}
