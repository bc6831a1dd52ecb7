import type { Answer } from '../../../sandbox/faults/interception.ts';
import { isObject } from '../../../sandbox/json.ts';
import { type FetchResult, fetchResultOf } from '../../support/driver/fetch-result.ts';
import { faultKinds, type Side } from '../fault-kinds.ts';

interface FaultKind {
  /** Whether the fake server processes the request. */
  readonly done: boolean;
  readonly result: (answer: Answer | undefined, request: FailingRequest) => FetchResult;
}

/** The request that fails. */
interface FailingRequest {
  readonly side: Side;
  /** The client's wall clock. */
  readonly date: Date;
  /** Returns the id of a scan other than `id`. Prefers a scan that runs. */
  readonly otherScan: (id: string) => string | undefined;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const KINDS = new Map(faultKinds('write').map((kind) => [kind.name, kind]));

/** Returns a fault of the table of all faults. */
function ofTable(name: string): FaultKind {
  const kind = KINDS.get(name);
  if (kind === undefined || kind.how === 'stale') throw new Error(`there is no fault "${name}"`);
  const { done, how } = kind;
  return {
    done,
    result: (answer, request) => {
      if (how === 'refuse') return fetchResultOf(undefined);
      // No fault of a history leads to another origin.
      const interception = how(request.side, { date: request.date, foreignOrigin: '' });
      if ('status' in interception) return { kind: 'answer', answer: interception };
      const isRewritten = 'rewrite' in interception && answer !== undefined;
      return fetchResultOf({ interception, answer: isRewritten ? interception.rewrite(answer) : answer });
    },
  };
}

/** Makes a fault that answers instead of the fake server. */
function answered(status: number, body: object, headers = {}): FaultKind {
  return {
    done: false,
    result: () => ({ kind: 'answer', answer: { status, headers: { ...JSON_TYPE, ...headers }, body } }),
  };
}

/** Makes a fault. The fake server processes the request, but the fault changes the body of the answer. */
function changed(change: (body: unknown, request: FailingRequest) => unknown): FaultKind {
  return {
    done: true,
    result: (answer, request) =>
      answer === undefined
        ? { kind: 'hangs' }
        : { kind: 'answer', answer: { ...answer, body: change(answer.body, request) } },
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

const refusal = (code: string, message: string) => ({ message, error: { code, message } });

/** The faults that the table of all faults does not have. */
const OF_HISTORIES = {
  '429 soon': answered(429, refusal('rate_limited', 'Not now.'), { 'retry-after': '2' }),
  '404': answered(404, refusal('not_found', 'Not Found')),
  '401': answered(401, refusal('unauthorized', 'Unauthorized.')),
  'no base': changed(withoutBase),
  'unknown id': changed((body) => withScanId(body, () => 'scan_0123456789abcdef01234567')),
  'older id': changed((body, { otherScan }) => withScanId(body, otherScan)),
} as const satisfies Readonly<Record<string, FaultKind>>;

/** The faults that every request can have. */
export const FAULT_NAMES = [
  'refused',
  'reset before',
  'reset after',
  'close after',
  'stalled headers',
  'stalled headers after',
  'stalled body',
  'cut length',
  'HTML 200',
  'empty 200 after',
  'wrong shape',
  'redirect same after',
  '408',
  '500 after',
  '502 after',
  '503',
  '429 soon',
  '429 huge',
  '429 absent',
] as const;

export type FaultName = (typeof FAULT_NAMES)[number] | keyof typeof OF_HISTORIES;

export function faultKind(name: FaultName): FaultKind {
  const own: Readonly<Record<string, FaultKind>> = OF_HISTORIES;
  return own[name] ?? ofTable(name);
}
