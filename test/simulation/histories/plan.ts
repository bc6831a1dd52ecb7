import fc from 'fast-check';
import { FAULT_NAMES, type FaultName } from './faults.ts';
import { HEADS, type HeadName } from './fixture-repository.ts';
import { OTHER_USER_SCOPES, type OtherUserScope } from './other-user.ts';

/** What happens to some of the requests that one run sends to one point. */
export interface Fault {
  readonly point: FaultPoint;
  readonly name: FaultName;
  /** So many requests go well before. */
  readonly skip: number;
  readonly times: number;
}

export type FaultPoint = (typeof FAULT_POINTS)[number];
/** `side:point`, as the fake servers name them. */
export const FAULT_POINTS = [
  'service:token',
  'service:repositories',
  'service:presets',
  'service:scans.list',
  'service:scans.launch',
  'service:scans.read',
  'service:scans.cancel',
  'service:findings.list',
  'service:findings.read',
  'github:compare',
  'github:graphql',
  'github:comments.list',
  'github:comments.create',
  'github:comments.update',
  'github:comments.delete',
  'github:check.list',
  'github:check.create',
  'github:check.update',
] as const;

/** What one run goes through. Milliseconds count from its start. */
export interface Trouble {
  readonly faults: readonly Fault[];
  readonly end: Ending;
}

export type Ending =
  | { readonly kind: 'by itself' }
  /** As GitHub cancels: SIGINT, SIGTERM after 7.5 s, SIGKILL after 10 s, and `post` in any case. */
  | { readonly kind: 'cancelled'; readonly at: number }
  /** The process is killed; `post` follows. */
  | { readonly kind: 'killed'; readonly at: number }
  /** The machine is lost: nothing follows. */
  | { readonly kind: 'lost'; readonly at: number };

/** Milliseconds until the next act, or until every job is over. */
export type Lag = number | 'all over';

export type Act = { readonly lag: Lag } & (
  | {
      readonly kind: 'push';
      readonly head: HeadName;
      readonly cancelsOlder: boolean;
      readonly trouble: Trouble;
    }
  /** Another run for the same head: a second event, or a second workflow. */
  | { readonly kind: 'parallel'; readonly trouble: Trouble }
  /** Another attempt of an earlier run, chosen by its number modulo the runs there are. */
  | { readonly kind: 're-run'; readonly of: number; readonly trouble: Trouble }
  | { readonly kind: 'triage'; readonly finding: number; readonly resolution: string }
  | { readonly kind: 'severity'; readonly finding: number; readonly severity: string | null }
  /** The newest scan that is not over is ended or held by the service or by a person, or the next one ends so. */
  | {
      readonly kind: 'scan';
      readonly does: 'fail' | 'cancel' | 'hold' | 'release' | 'fail next' | 'cancel next';
    }
  /** Another user of the project launches a scan of the change as it is now, with another scope. */
  | { readonly kind: 'other user'; readonly scope: OtherUserScope }
  /** The next pages of findings are read from a list that is turned between one page and the next. */
  | { readonly kind: 'shifting pages'; readonly pages: number }
  | {
      readonly kind: 'outage';
      readonly side: 'service' | 'github';
      readonly name: FaultName;
      readonly ms: number;
    }
);

export interface History {
  /** For latencies and jitter. */
  readonly seed: number;
  /** The service caps its pages at so many items. */
  readonly pageSize: number;
  readonly phasesPerPoll: number;
  readonly retryAfterSeconds: number;
  /** The scan list shows neither commits nor the preset. */
  readonly terse: boolean;
  /** No scan shows its audit areas, its guidance or its budget. */
  readonly hidesScope: boolean;
  readonly timeoutMinutes: number;
  /** The longest that a request is under way, in milliseconds. */
  readonly latency: number;
  readonly opened: { readonly head: HeadName; readonly trouble: Trouble; readonly lag: Lag };
  readonly acts: readonly Act[];
  /** The calm run at the end: for the head as it is, or after another push. */
  readonly last: 'same head' | 'push';
}

/** Where a lost answer costs credits, findings or truth. */
const SORE_POINTS = [
  'service:scans.launch',
  'service:scans.launch',
  'service:scans.list',
  'service:scans.cancel',
  'service:findings.list',
  'github:check.create',
] as const satisfies readonly FaultPoint[];

const fault: fc.Arbitrary<Fault> = fc.record({
  point: fc.oneof(fc.constantFrom(...FAULT_POINTS), fc.constantFrom(...SORE_POINTS)),
  name: fc.constantFrom(...FAULT_NAMES),
  skip: fc.constantFrom(0, 0, 0, 1, 2),
  times: fc.constantFrom(1, 1, 2, 3, 5, 1_000),
});
/** Where signals and kills hurt most is soon; some come late. */
const moment = fc.oneof(fc.nat(3_000), fc.nat(15_000), fc.nat(90_000));
const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'by itself' } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancelled' as const), at: moment }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('killed' as const), at: moment }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lost' as const), at: moment }) },
);
const trouble: fc.Arbitrary<Trouble> = fc.record({
  faults: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(fault, { minLength: 1, maxLength: 3 }) },
  ),
  end: ending,
});
const lag: fc.Arbitrary<Lag> = fc.oneof(
  fc.constant('all over' as const),
  fc.constantFrom(0, 40, 400),
  fc.nat(20_000),
  fc.nat(120_000),
);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      head: fc.constantFrom(...HEADS),
      cancelsOlder: fc.boolean(),
      trouble,
      lag,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('re-run' as const), of: fc.nat(9), trouble, lag }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('parallel' as const), trouble, lag }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('triage' as const),
      finding: fc.nat(9),
      resolution: fc.constantFrom('RESOLVED', 'MITIGATED', 'FALSE_POSITIVE', 'IN_PROGRESS', 'NOT_STARTED'),
      lag,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('severity' as const),
      finding: fc.nat(9),
      severity: fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', null),
      lag,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      does: fc.constantFrom('fail', 'cancel', 'hold', 'release', 'fail next', 'cancel next'),
      lag,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('other user' as const),
      scope: fc.constantFrom(...OTHER_USER_SCOPES),
      lag,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('shifting pages' as const), pages: fc.nat(12), lag }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('outage' as const),
      side: fc.constantFrom('service', 'github'),
      name: fc.constantFrom('refused', 'reset after', '503', 'stalled headers'),
      ms: fc.oneof(fc.nat(5_000), fc.nat(100_000)),
      lag,
    }),
  },
);

/** A pull request is opened, and then things happen to it. */
export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(),
  pageSize: fc.constantFrom(1, 2, 3, 100),
  phasesPerPoll: fc.constantFrom(1, 2, 6),
  retryAfterSeconds: fc.constantFrom(1, 5, 30),
  terse: fc.boolean(),
  hidesScope: fc.boolean(),
  timeoutMinutes: fc.constantFrom(1, 3, 30),
  latency: fc.constantFrom(20, 300, 3_000),
  opened: fc.record({ head: fc.constantFrom(...HEADS), trouble, lag }),
  acts: fc.array(act, { minLength: 1, maxLength: 6 }),
  last: fc.constantFrom('same head', 'push'),
});
