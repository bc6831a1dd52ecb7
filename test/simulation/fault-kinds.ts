import { gzipSync } from 'node:zlib';
import type { Answer, Fault, Interception } from '../../sandbox/faults/interception.ts';

export type Side = 'service' | 'github';

/**
 * What a fault means to a client that knows only what it received:
 * - `unsent`: there was no connection.
 * - `lost`: no complete answer, or an error, such as 503, that does not say whether the request was processed.
 * - `unreadable`: a complete answer that makes no sense.
 * - `limited`: a definite "not now".
 * - `final`: an answer that waiting does not change.
 */
export type Effect = 'unsent' | 'lost' | 'unreadable' | 'limited' | 'final';

export interface FaultKind {
  readonly name: string;
  readonly effect: Effect;
  /** Whether the fake server processes the request. If it does, the fault breaks only the answer. */
  readonly done: boolean;
  /**
   * - `refuse`: the server closes its port before the request.
   * - `stale`: the request arrives on a used connection, and the server drops this connection and all idle ones.
   * - A function returns what happens to the exchange.
   */
  readonly how: 'refuse' | 'stale' | ((side: Side, around: Around) => Interception);
}

/** The values that a fault needs for its answer. */
export interface Around {
  /** An address of another origin. */
  readonly foreignOrigin: string;
  /** The client's wall clock. */
  readonly date: Date;
}

/** A body that is larger than the 10 MiB that clients read of an answer. */
const OVERSIZE = Buffer.from(`{"padding":"${'x'.repeat(11 * 1024 * 1024)}"}`);
/** A body of 64 MiB that is only 64 kB on the wire. */
const BOMB = gzipSync(`{"padding":"${'x'.repeat(64 * 1024 * 1024)}"}`);
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const HTML = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Maintenance</title>' };

/** The eight forms of `Retry-After`. A date is computed when the answer is sent. */
const RETRY_AFTER: readonly (readonly [form: string, value: (date: Date) => string | undefined])[] = [
  ['absent', () => undefined],
  ['0', () => '0'],
  ['1', () => '1'],
  ['negative', () => '-5'],
  ['no number', () => 'soon'],
  ['past date', (date) => new Date(date.getTime() - 60_000).toUTCString()],
  ['near date', (date) => new Date(date.getTime() + 3_000).toUTCString()],
  ['huge', () => '99999999999999'],
];

const BREAKS: readonly (readonly [name: string, fault: Fault, done: boolean])[] = [
  ['reset before', 'reset-before', false],
  ['reset after', 'reset-after', true],
  ['close', 'close-before', false],
  ['close after', 'close-after', true],
  ['stalled headers', 'hang-before', false],
  ['stalled headers after', 'hang-after', true],
  ['stalled body', 'hang-body', true],
  ['cut length', 'cut-body', true],
  ['cut chunked', 'cut-chunked', true],
];

const ANSWERS: readonly (readonly [name: string, effect: Effect, (side: Side, around: Around) => Answer])[] =
  [
    ['HTML 200', 'unreadable', () => ({ ...HTML, status: 200 })],
    ['empty 200', 'lost', () => ({ status: 200, headers: JSON_TYPE, body: '' })],
    ['invalid JSON', 'unreadable', () => ({ status: 200, headers: JSON_TYPE, body: '{"items": [' })],
    // Empty lists without a total. A client that accepts this answer finds no findings.
    ['wrong shape', 'unreadable', () => ({ status: 200, body: { items: [], findings: [], data: [] } })],
    ['oversize', 'final', () => ({ status: 200, headers: JSON_TYPE, body: OVERSIZE })],
    [
      'gzip bomb',
      'final',
      () => ({ status: 200, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: BOMB }),
    ],
    ['redirect same', 'unreadable', () => ({ status: 307, headers: { location: '/login' } })],
    [
      'redirect other',
      'unreadable',
      (_side, { foreignOrigin }) => ({ status: 307, headers: { location: foreignOrigin } }),
    ],
    ['408', 'lost', () => ({ status: 408, body: 'Request Timeout' })],
    ['500', 'lost', (side) => refusal(side, 500, 'internal')],
    ['502', 'lost', () => ({ ...HTML, status: 502 })],
    ['503', 'lost', () => ({ ...HTML, status: 503 })],
  ];

function refusal(side: Side, status: number, code: string, headers: Record<string, string> = {}): Answer {
  const message = 'Not now.';
  return { status, headers, body: side === 'service' ? { error: { code, message } } : { message } };
}

function limited(value: (date: Date) => string | undefined): (side: Side, around: Around) => Answer {
  return (side, { date }) => {
    const header = value(date);
    const headers = { date: date.toUTCString(), ...(header === undefined ? {} : { 'retry-after': header }) };
    return refusal(side, 429, 'rate_limited', headers);
  };
}

/** Every kind of fault for this access. Whether the request was processed matters only for a write. */
export function faultKinds(access: 'read' | 'write'): readonly FaultKind[] {
  const breaks = BREAKS.map(([name, fault, done]): FaultKind => {
    return { name, effect: 'lost', done, how: () => ({ fault }) };
  });
  const answers = ANSWERS.flatMap(([name, effect, answer]): FaultKind[] => [
    { name, effect, done: false, how: answer },
    {
      name: `${name} after`,
      effect,
      done: true,
      how: (side, around) => ({ rewrite: () => answer(side, around) }),
    },
  ]);
  const kinds: readonly FaultKind[] = [
    { name: 'refused', effect: 'unsent', done: false, how: 'refuse' },
    ...breaks,
    ...answers,
    ...RETRY_AFTER.map(([form, value]): FaultKind => {
      return { name: `429 ${form}`, effect: 'limited', done: false, how: limited(value) };
    }),
    { name: 'stale keep-alive', effect: 'lost', done: false, how: 'stale' },
  ];
  return access === 'write'
    ? kinds
    : kinds.filter(({ name }) => !name.endsWith(' after') || name === 'reset after');
}
