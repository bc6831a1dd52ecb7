import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../../sandbox/faults/interception.ts';
import type { ScanServiceOptions } from '../../sandbox/scan-service/options.ts';

/** The options with which a test started the fake server. */
type Settings = Pick<ScanServiceOptions, 'hideFields' | 'launchFields'>;

interface Arrived {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body. Undefined if there was none, or if it was too large to be read. */
  readonly text: string | undefined;
}

type Check = typeof import('./contract-traffic.ts');
type Seen = readonly [arrived: Arrived, settings: Settings, answer: Answer | undefined];

/** The breaches of the service's contract in this test file. Reported breaches are removed. */
const breaches: string[] = [];
/**
 * The exchanges that came before the contract check was loaded. The first exchange of a test file starts to load it.
 */
const unchecked: Seen[] = [];
let check: Check | undefined;
let loading: Promise<void> | undefined;

/**
 * Checks a request and its answer against the contract. The answer is undefined if the fake server did not process the
 * request.
 */
export function recordExchange(...seen: Seen): void {
  if (check !== undefined) {
    hold(check, seen);
    return;
  }
  unchecked.push(seen);
  loading ??= import('./contract-traffic.ts').then((loaded) => {
    check = loaded;
    for (const one of unchecked.splice(0)) hold(loaded, one);
  });
}

/** Returns the recorded breaches, and forgets them. The caller has to report them. */
export async function takeBreaches(): Promise<string[]> {
  await loading;
  return [...new Set(breaches.splice(0))];
}

function hold(
  { answerBreaches, parsedBody, requestBreaches }: Check,
  [{ text, ...sent }, settings, answer]: Seen,
): void {
  const arrived = { ...sent, body: parsedBody(text) };
  breaches.push(...requestBreaches(arrived, settings, answer?.status));
  if (answer !== undefined) breaches.push(...answerBreaches(arrived, settings, answer));
}
