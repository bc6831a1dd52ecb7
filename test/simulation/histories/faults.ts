import type { Answer } from '../../../sandbox/faults/interception.ts';
import { isObject } from '../../../sandbox/json.ts';
import { type FetchResult, type SocketError, socketError } from '../../support/driver/fetch-result.ts';

interface FaultKind {
  /** Whether the fake server processes the request. */
  readonly done: boolean;
  readonly result: (answer: Answer | undefined, service: ServiceView) => FetchResult;
}

/** What a fault may read from the service. */
interface ServiceView {
  /** Returns the id of a scan other than `id`. Prefers a scan that runs. */
  readonly otherScan: (id: string) => string | undefined;
}

const HTML = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Maintenance</title>' };
const JSON_TYPE = { 'content-type': 'application/json' };

function broken(name: SocketError): () => FetchResult {
  return () => ({ kind: 'throws', error: socketError(name) });
}

function answered(done: boolean, answer: Answer): FaultKind {
  return { done, result: () => ({ kind: 'answer', answer }) };
}

function half(error: () => Error | undefined): FaultKind {
  return {
    done: true,
    result: (answer) => (answer === undefined ? { kind: 'hangs' } : { kind: 'half', answer, error: error() }),
  };
}

const limited = (value: string | undefined) =>
  answered(false, {
    status: 429,
    headers: value === undefined ? JSON_TYPE : { ...JSON_TYPE, 'retry-after': value },
    body: { message: 'Not now.', error: { code: 'rate_limited', message: 'Not now.' } },
  });
/** Makes a fault. The fake server processes the request, but the fault changes the body of the answer. */
function changed(change: (body: unknown, service: ServiceView) => unknown): FaultKind {
  return {
    done: true,
    result: (answer, service) =>
      answer === undefined
        ? { kind: 'hangs' }
        : { kind: 'answer', answer: { ...answer, body: change(answer.body, service) } },
  };
}

/** Shows a pull request as GitHub does if its base branch is deleted. Other answers do not change. */
function withoutBase(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['data'])) return body;
  const repository: unknown = body['data']['repository'];
  const pullRequest: unknown = isObject(repository) ? repository['pullRequest'] : undefined;
  if (!isObject(repository) || !isObject(pullRequest)) return body;
  const shown = { ...pullRequest, baseRef: null };
  return { ...body, data: { ...body['data'], repository: { ...repository, pullRequest: shown } } };
}

function withScanId(body: unknown, idFor: (id: string) => string | undefined): unknown {
  if (!isObject(body) || typeof body['scanId'] !== 'string') return body;
  return { ...body, scanId: idFor(body['scanId']) ?? body['scanId'] };
}

const trouble = { message: 'Trouble.', error: { code: 'internal', message: 'Trouble.' } };

const FAULTS = {
  refused: { done: false, result: broken('refused') },
  'reset before': { done: false, result: broken('reset') },
  'reset after': { done: true, result: broken('reset') },
  'closed after': { done: true, result: broken('close') },
  'stalled headers': { done: false, result: () => ({ kind: 'hangs' }) },
  'stalled headers after': { done: true, result: () => ({ kind: 'hangs' }) },
  'stalled body': half(() => undefined),
  'cut body': half(() => socketError('cut-body')),
  'HTML 200': answered(false, { ...HTML, status: 200 }),
  'empty 200 after': answered(true, { status: 200, headers: JSON_TYPE, body: '' }),
  'wrong shape': answered(false, { status: 200, body: { items: [], findings: [], data: [] } }),
  'redirect after': answered(true, { status: 307, headers: { location: '/login' } }),
  '408': answered(false, { status: 408, body: 'Request Timeout' }),
  '500 after': answered(true, { status: 500, body: trouble }),
  '502 after': answered(true, { ...HTML, status: 502 }),
  '503': answered(false, { ...HTML, status: 503 }),
  '429 soon': limited('2'),
  '429 never': limited('99999999999999'),
  '429 unsaid': limited(undefined),
  '404': answered(false, {
    status: 404,
    headers: JSON_TYPE,
    body: { message: 'Not Found', error: { code: 'not_found', message: 'Not Found' } },
  }),
  '401': answered(false, {
    status: 401,
    headers: JSON_TYPE,
    body: { error: { code: 'unauthorized', message: 'Unauthorized.' } },
  }),
  'no base': changed(withoutBase),
  'unknown id': changed((body) => withScanId(body, () => 'scan_0123456789abcdef01234567')),
  'older id': changed((body, { otherScan }) => withScanId(body, otherScan)),
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultName = keyof typeof FAULTS;

export function faultKind(name: FaultName): FaultKind {
  return FAULTS[name];
}

/** The faults that every request can have. */
export const FAULT_NAMES = [
  'refused',
  'reset before',
  'reset after',
  'closed after',
  'stalled headers',
  'stalled headers after',
  'stalled body',
  'cut body',
  'HTML 200',
  'empty 200 after',
  'wrong shape',
  'redirect after',
  '408',
  '500 after',
  '502 after',
  '503',
  '429 soon',
  '429 never',
  '429 unsaid',
] as const satisfies readonly FaultName[];
