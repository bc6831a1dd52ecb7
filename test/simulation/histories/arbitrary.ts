import fc from 'fast-check';
import { FAULT_NAMES, type FaultName } from './faults.ts';
import { BASE_BRANCHES, HEADS, type HeadName, STACKED } from './fixture-repository.ts';
import {
  type Act,
  type Ending,
  FAULT_POINTS,
  type Fault,
  type FaultPoint,
  type History,
  type Lag,
  type Trouble,
} from './plan.ts';
import { STRANGER_SCOPES } from './stranger.ts';

/** The requests whose lost answer can cost credits, lose findings or lead to a wrong verdict. */
const SORE_POINTS = [
  'service:scans.launch',
  'service:scans.launch',
  'service:scans.list',
  'service:scans.cancel',
  'service:findings.list',
  'github:check.create',
  'github:check.list',
] as const satisfies readonly FaultPoint[];

const skip = fc.constantFrom(0, 0, 0, 1, 2);
const times = fc.constantFrom(1, 1, 2, 3, 5, 1_000);
/** Important pairs of a request and a fault. A random choice would rarely or never give them. */
const ODD_FAULTS: readonly (readonly [FaultPoint, ...FaultName[]])[] = [
  ['github:graphql', 'no base'],
  ['github:ref', '404'],
  ['github:compare', '404'],
  ['github:check.list', '503'],
  ['service:scans.launch', 'reset after', 'unknown id', 'older id'],
  ['service:scans.read', '401', '404'],
  ['service:scans.cancel', '401'],
  ['service:findings.list', '401', '404'],
];
const fault: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      point: fc.oneof(fc.constantFrom(...FAULT_POINTS), fc.constantFrom(...SORE_POINTS)),
      name: fc.constantFrom(...FAULT_NAMES),
      skip,
      times,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      ...ODD_FAULTS.map(([point, ...names]) => ({
        weight: names.length,
        arbitrary: fc.record({ point: fc.constant(point), name: fc.constantFrom(...names), skip, times }),
      })),
    ),
  },
);
/** GraphQL does not answer, and a single 404 hides the base branch. */
const BRANCH_GONE: readonly Fault[] = [
  { point: 'github:graphql', name: '503', skip: 0, times: 1_000 },
  { point: 'github:ref', name: '404', skip: 0, times: 1 },
];
const faults = fc.oneof(
  { weight: 8, arbitrary: fc.constant([]) },
  { weight: 11, arbitrary: fc.array(fault, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant(BRANCH_GONE) },
);
/**
 * When a run ends, in milliseconds from its start. Signals and kills do most harm early, so most of them come early.
 */
const moment = fc.oneof(fc.nat(3_000), fc.nat(15_000), fc.nat(90_000));
const endsAt = (kind: 'cancelled' | 'killed' | 'lost') => fc.record({ kind: fc.constant(kind), at: moment });
const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'by itself' } as const) },
  { weight: 2, arbitrary: endsAt('cancelled') },
  { weight: 1, arbitrary: endsAt('killed') },
  { weight: 1, arbitrary: fc.constant({ kind: 'killed at launch' } as const) },
  { weight: 1, arbitrary: endsAt('lost') },
);
const trouble: fc.Arbitrary<Trouble> = fc.record({ faults, end: ending });
const lag: fc.Arbitrary<Lag> = fc.oneof(
  fc.constant('all over' as const),
  fc.constantFrom(0, 40, 400),
  fc.nat(20_000),
  fc.nat(120_000),
);
const pull = fc.constantFrom(0, 0, 1);
const branch = fc.constantFrom(...BASE_BRANCHES);

type OfKind<K extends Act['kind']> = Omit<Extract<Act, { readonly kind: K }>, 'kind' | 'lag'>;

/** The members of each kind of act. */
const ACTS: { readonly [K in Act['kind']]: { [P in keyof OfKind<K>]: fc.Arbitrary<OfKind<K>[P]> } } = {
  push: { head: headAmong(HEADS), cancelsOlder: fc.boolean(), trouble },
  're-run': { of: fc.nat(9), trouble },
  parallel: { pull, trouble },
  fresh: { pull, sees: fc.constant(true), trouble },
  'narrow step': { pull, trouble },
  stranger: {
    scope: fc.constantFrom(...STRANGER_SCOPES),
    when: fc.oneof(
      fc.constant('now' as const),
      fc.record({
        afterLaunch: fc.oneof(fc.nat(500), fc.nat(8_000)),
        launch: fc.constantFrom('reset before', 'reset after', 'stalled headers after', undefined),
      }),
    ),
  },
  copier: {
    does: fc.oneof(
      fc.constant('new check run' as const),
      fc.constantFrom('edit comment', 'copy comment', 'overwrite check run'),
    ),
    of: fc.constantFrom(0, 0, 0, 1, 2, 3),
    onItsHead: fc.boolean(),
    sameName: fc.boolean(),
    completed: fc.boolean(),
  },
  close: { pull, runs: fc.boolean(), trouble },
  reopen: { pull, trouble },
  retarget: { pull, runs: fc.boolean(), trouble },
  'delete base': { branch },
  'move base': { branch },
  second: { base: branch, trouble },
  scan: { does: fc.constantFrom('fail', 'cancel', 'hold', 'release', 'fail next', 'cancel next') },
  edit: { pull, trouble },
  outage: {
    side: fc.constantFrom('service', 'github'),
    name: fc.constantFrom('refused', 'reset after', '503', 'stalled headers'),
    ms: fc.oneof(fc.nat(5_000), fc.nat(100_000)),
  },
  triage: {
    finding: fc.nat(9),
    resolution: fc.constantFrom('RESOLVED', 'MITIGATED', 'FALSE_POSITIVE', 'IN_PROGRESS', 'NOT_STARTED'),
  },
  severity: { finding: fc.nat(9), severity: fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', null) },
  'shifting pages': { pages: fc.nat(12) },
};

function headAmong(heads: readonly HeadName[]): fc.Arbitrary<HeadName | 'back'> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...heads) },
    { weight: 1, arbitrary: fc.constant('back' as const) },
  );
}

/**
 * Generates acts.
 * @param heads the heads that are pushed
 * @param weights how often each kind of `ACTS` comes, in the order of `ACTS`
 */
function acts(heads: readonly HeadName[], ...weights: readonly number[]): fc.Arbitrary<Act[]> {
  const members = { ...ACTS, push: { ...ACTS.push, head: headAmong(heads) } };
  const weighted = Object.entries<object>(members).map(([kind, of], index) => ({
    weight: weights[index] ?? 0,
    // The type of `ACTS` says that these are the members of an act of this kind.
    arbitrary: fc.record({ ...of, kind: fc.constant(kind), lag }) as fc.Arbitrary<Act>,
  }));
  return fc.array(fc.oneof(...weighted.filter(({ weight }) => weight > 0)), { minLength: 1, maxLength: 7 });
}

/**
 * Sets of acts. A history takes its acts from one of these sets. Most sets have only some kinds of acts, so that
 * harmful orders of acts come up more often.
 */
const CASTS = {
  faults: acts(HEADS, 4, 4, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 2, 1, 1, 1, 1),
  stranger: acts(HEADS, 2, 2, 2, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 1),
  copier: acts(HEADS, 1, 3, 2, 3, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1),
  closer: acts(STACKED, 2, 3, 1, 0, 0, 0, 0, 2, 2, 1, 1, 1, 1, 1),
  retargeter: acts(STACKED, 2, 3, 1, 0, 0, 0, 0, 0, 0, 5, 0, 1, 1, 1, 1),
  all: acts(HEADS, 2, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1),
} as const;

/** A history: a pull request is opened, and then acts follow. */
export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(),
  pageSize: fc.constantFrom(1, 2, 3, 100),
  phasesPerPoll: fc.constantFrom(1, 2, 6),
  retryAfterSeconds: fc.constantFrom(1, 5, 30),
  terse: fc.boolean(),
  hides: fc.oneof(
    { weight: 3, arbitrary: fc.constant('nothing' as const) },
    {
      weight: 7,
      arbitrary: fc.constantFrom('scope', 'areas', 'guidance', 'budget', 'base', 'commit', 'everything'),
    },
  ),
  blind: fc.boolean(),
  githubLagMs: fc.constantFrom(0, 0, 0, 300, 3_000, 20_000),
  allows: fc.boolean(),
  paths: fc.boolean(),
  timeoutMinutes: fc.constantFrom(1, 3, 30),
  latency: fc.constantFrom(20, 300, 3_000),
  opened: fc.record({ head: fc.constantFrom(...HEADS, ...STACKED), base: branch, trouble, lag }),
  acts: fc.oneof(
    { weight: 3, arbitrary: CASTS.faults },
    { weight: 2, arbitrary: CASTS.stranger },
    { weight: 2, arbitrary: CASTS.copier },
    { weight: 2, arbitrary: CASTS.closer },
    { weight: 2, arbitrary: CASTS.retargeter },
    { weight: 2, arbitrary: CASTS.all },
  ),
  last: fc.constantFrom('same head', 'push'),
});
