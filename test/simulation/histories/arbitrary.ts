import fc from 'fast-check';
import { FAULT_NAMES } from './faults.ts';
import { BASE_BRANCHES, HEADS, STACKED } from './fixture-repository.ts';
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

/** Generates records like `fc.record`, and adds a `kind`. */
function kind<const K extends string, M>(
  name: K,
  members: { readonly [P in keyof M]: fc.Arbitrary<M[P]> },
): fc.Arbitrary<M & { readonly kind: K }> {
  return fc.record<M>(members).map((record) => ({ ...record, kind: name }));
}

const skip = fc.constantFrom(0, 0, 0, 1, 2);
const times = fc.constantFrom(1, 1, 2, 3, 5, 1_000);
/** Important pairs of a request and a fault. A random choice would rarely or never give them. */
const ODD_FAULTS = [
  { point: 'github:graphql', name: 'no base' },
  { point: 'github:ref', name: '404' },
  { point: 'github:compare', name: '404' },
  { point: 'github:check.list', name: '503' },
  { point: 'service:scans.launch', name: 'reset after' },
  { point: 'service:scans.launch', name: 'unknown id' },
  { point: 'service:scans.launch', name: 'older id' },
  { point: 'service:scans.read', name: '401' },
  { point: 'service:scans.read', name: '404' },
  { point: 'service:scans.cancel', name: '401' },
  { point: 'service:findings.list', name: '401' },
  { point: 'service:findings.list', name: '404' },
] as const satisfies readonly Pick<Fault, 'point' | 'name'>[];
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
    arbitrary: fc
      .record({ odd: fc.constantFrom(...ODD_FAULTS), skip, times })
      .map(({ odd, ...rest }) => ({ ...odd, ...rest })),
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
const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'by itself' } as const) },
  { weight: 2, arbitrary: kind('cancelled', { at: moment }) },
  { weight: 1, arbitrary: kind('killed', { at: moment }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'killed at launch' } as const) },
  { weight: 1, arbitrary: kind('lost', { at: moment }) },
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

function push(...heads: readonly (typeof HEADS)[number][]): fc.Arbitrary<Act> {
  return kind('push', {
    head: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...heads) },
      { weight: 1, arbitrary: fc.constant('back' as const) },
    ),
    cancelsOlder: fc.boolean(),
    trouble,
    lag,
  });
}

const rerun: fc.Arbitrary<Act> = kind('re-run', { of: fc.nat(9), trouble, lag });
const parallel: fc.Arbitrary<Act> = kind('parallel', { pull, trouble, lag });
const scan: fc.Arbitrary<Act> = kind('scan', {
  does: fc.constantFrom('fail', 'cancel', 'hold', 'release', 'fail next', 'cancel next'),
  lag,
});
const triage: fc.Arbitrary<Act> = kind('triage', {
  finding: fc.nat(9),
  resolution: fc.constantFrom('RESOLVED', 'MITIGATED', 'FALSE_POSITIVE', 'IN_PROGRESS', 'NOT_STARTED'),
  lag,
});
const severity: fc.Arbitrary<Act> = kind('severity', {
  finding: fc.nat(9),
  severity: fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', null),
  lag,
});
const pages: fc.Arbitrary<Act> = kind('shifting pages', { pages: fc.nat(12), lag });
const outage: fc.Arbitrary<Act> = kind('outage', {
  side: fc.constantFrom('service', 'github'),
  name: fc.constantFrom('refused', 'reset after', '503', 'stalled headers'),
  ms: fc.oneof(fc.nat(5_000), fc.nat(100_000)),
  lag,
});
const stranger: fc.Arbitrary<Act> = kind('stranger', {
  scope: fc.constantFrom(...STRANGER_SCOPES),
  when: fc.oneof(
    fc.constant('now' as const),
    fc.record({
      afterLaunch: fc.oneof(fc.nat(500), fc.nat(8_000)),
      launch: fc.constantFrom('reset before', 'reset after', 'stalled headers after', undefined),
    }),
  ),
  lag,
});
const copier: fc.Arbitrary<Act> = kind('copier', {
  does: fc.constantFrom(
    'new check run',
    'new check run',
    'new check run',
    'edit comment',
    'copy comment',
    'overwrite check run',
  ),
  of: fc.constantFrom(0, 0, 0, 1, 2, 3),
  onItsHead: fc.boolean(),
  sameName: fc.boolean(),
  completed: fc.boolean(),
  lag,
});
const fresh: fc.Arbitrary<Act> = kind('fresh', { pull, sees: fc.constant(true), trouble, lag });
const narrow: fc.Arbitrary<Act> = kind('narrow step', { pull, trouble, lag });
const edit: fc.Arbitrary<Act> = kind('edit', { pull, trouble, lag });
const close: fc.Arbitrary<Act> = kind('close', { pull, runs: fc.boolean(), trouble, lag });
const reopen: fc.Arbitrary<Act> = kind('reopen', { pull, trouble, lag });
const deleteBase: fc.Arbitrary<Act> = kind('delete base', { branch, lag });
const moveBase: fc.Arbitrary<Act> = kind('move base', { branch, lag });
const second: fc.Arbitrary<Act> = kind('second', { base: branch, trouble, lag });
const retarget: fc.Arbitrary<Act> = kind('retarget', { pull, runs: fc.boolean(), trouble, lag });

/** Generates acts, each as often as its weight says. */
function acts(...weighted: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Act>])[]) {
  const act = fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
  return fc.array(act, { minLength: 1, maxLength: 7 });
}

/**
 * Sets of acts. A history takes its acts from one of these sets. Most sets have only some kinds of acts, so that
 * harmful orders of acts come up more often.
 */
const CASTS = {
  faults: acts(
    [4, push(...HEADS)],
    [4, rerun],
    [3, parallel],
    [1, triage],
    [1, severity],
    [2, scan],
    [1, pages],
    [1, outage],
    [2, edit],
    [1, stranger],
  ),
  stranger: acts(
    [2, push(...HEADS)],
    [2, rerun],
    [2, parallel],
    [4, stranger],
    [2, narrow],
    [1, fresh],
    [1, scan],
  ),
  copier: acts(
    [1, push(...HEADS)],
    [3, rerun],
    [2, parallel],
    [3, fresh],
    [4, copier],
    [1, edit],
    [1, narrow],
  ),
  closer: acts(
    [2, push(...STACKED)],
    [3, rerun],
    [1, parallel],
    [2, close],
    [2, reopen],
    [1, second],
    [1, retarget],
    [1, deleteBase],
    [1, moveBase],
    [1, scan],
  ),
  retargeter: acts(
    [2, push(...STACKED)],
    [3, rerun],
    [1, parallel],
    [5, retarget],
    [1, moveBase],
    [1, second],
    [1, scan],
    [1, edit],
  ),
  all: acts(
    [2, push(...HEADS)],
    [2, rerun],
    [1, parallel],
    [1, fresh],
    [1, narrow],
    [1, stranger],
    [2, copier],
    [1, close],
    [1, reopen],
    [1, retarget],
    [1, deleteBase],
    [1, moveBase],
    [1, second],
    [1, scan],
    [1, edit],
    [1, outage],
  ),
} as const;

/** A history: a pull request is opened, and then acts follow. */
export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(),
  pageSize: fc.constantFrom(1, 2, 3, 100),
  phasesPerPoll: fc.constantFrom(1, 2, 6),
  retryAfterSeconds: fc.constantFrom(1, 5, 30),
  terse: fc.boolean(),
  hides: fc.constantFrom(
    'nothing',
    'nothing',
    'nothing',
    'scope',
    'areas',
    'guidance',
    'budget',
    'base',
    'commit',
    'everything',
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
