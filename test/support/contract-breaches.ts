import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../../sandbox/faults/interception.ts';
import type { ScanServiceOptions } from '../../sandbox/scan-service/options.ts';

/** How a test has set the fake server. */
type Settings = Pick<ScanServiceOptions, 'hideFields' | 'launchFields'>;

interface Arrived {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined: there was none, or it was too large to be read. */
  readonly text: string | undefined;
}

type Check = typeof import('./contract-traffic.ts');
type Seen = readonly [arrived: Arrived, settings: Settings, answer: Answer | undefined];

/** Breaches of the service's contract in this test file that were not reported yet. */
const breaches: string[] = [];
/** What was exchanged before the check was there: it is loaded by the first exchange of a test file. */
const unchecked: Seen[] = [];
let check: Check | undefined;
let loading: Promise<void> | undefined;

/** Holds a request, and what the fake server answered, against the contract; undefined: it was not processed. */
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

/** Takes the recorded breaches, each once. The caller has to report them. */
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
