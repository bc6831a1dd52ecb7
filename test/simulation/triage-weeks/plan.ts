import fc from 'fast-check';
import { faultKinds } from '../fault-kinds.ts';
import { CAST, COMMIT_KINDS, type CommitKind, type Person } from './cast.ts';

/** Commits of the repository for scenarios. Three of them have the same files. */
export const HEADS = ['vulnerable', 'amended', 'rebased on moved on', 'medium'] as const;

export const CHANGES = {
  'false-positive': ['FALSE_POSITIVE', 'not_reachable'],
  'wont-fix': ['WONT_FIX', 'risk_accepted'],
  mitigated: ['MITIGATED', 'monitored'],
  duplicate: ['DUPLICATE', 'same_root_cause'],
  reopen: ['NOT_STARTED', undefined],
} as const;
export type Word = keyof typeof CHANGES;

export function isChange(word: string): word is Word {
  return Object.hasOwn(CHANGES, word);
}

/** Commands that change no finding. */
export const OTHER_COMMANDS = ['recheck', 'dismiss', 'resolved', 'False-Positive', 'constructor'] as const;

/** The forms in which a command names a finding. A label of `WRONG_LABELS` names no finding of the head. */
export const FORMS = ['label', 'lower case', 'without the prefix', 'full id'] as const;
export const WRONG_LABELS = ['ZK-NOTTHERE', 'of another scan'] as const;

export interface Label {
  /** The index of a finding of the scan, modulo the number of findings. */
  readonly finding: number;
  readonly as: (typeof FORMS)[number] | (typeof WRONG_LABELS)[number];
}

/**
 * A fault of some requests of one command. The fault `shown late` changes the status of the first finding, and the
 * answer is lost. The finding shows the note only after some time.
 */
export interface PlannedFault {
  readonly at: string;
  readonly name: string;
  readonly skip: number;
  readonly times: number;
}

export interface Comment {
  readonly kind: 'comment';
  readonly by: Person;
  readonly word: Word | (typeof OTHER_COMMANDS)[number];
  readonly labels: readonly Label[];
  readonly withReason: boolean;
  readonly text: string;
  /** `new`: the event of a new comment that was not edited. */
  readonly state: 'new' | 'edited' | 'edited before the run';
  /** True if a user re-runs the workflow of the command. */
  readonly replayed: boolean;
  readonly fault: PlannedFault | undefined;
}

export type Step = { readonly waitMinutes: number } & (
  | Comment
  | { readonly kind: 'push'; readonly head: (typeof HEADS)[number]; readonly commits: readonly CommitKind[] }
  | { readonly kind: 'access'; readonly role: 'write' | 'none' }
  | { readonly kind: 'close' | 'reopen' | 'sweep' | 'runner' }
);

/** Some weeks of a pull request, starting with a push. */
export interface Plan {
  readonly who: 'others' | 'writers';
  readonly steps: readonly Step[];
}

/** The requests that a command can cause. Each entry has the side, and the fake server's name for the request. */
const POINTS = [
  'github:permission',
  'github:graphql',
  'github:pulls.read',
  'github:pulls.commits',
  'github:check.list',
  'github:run.read',
  'github:run.list',
  'github:run.jobs',
  'github:job.rerun',
  'github:comments.list',
  'github:comments.react',
  'github:comments.create',
  'github:comments.update',
  'service:token',
  'service:scans.read',
  'service:findings.list',
  'service:findings.resolution',
  'service:findings.resolution',
  'service:findings.resolution',
  'service:findings.read',
] as const;
const FAULTS = [
  ...faultKinds('write').flatMap(({ name, how }) => (typeof how === 'string' ? [] : [name])),
  '403',
  '404',
  '409',
];

const fault: fc.Arbitrary<PlannedFault> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      at: fc.constantFrom(...POINTS),
      name: fc.constantFrom(...FAULTS),
      skip: fc.constantFrom(0, 0, 1),
      times: fc.constantFrom(1, 1, 2, 1_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ at: 'service:findings.resolution', name: 'shown late', skip: 0, times: 1 }),
  },
);

const label: fc.Arbitrary<Label> = fc.record({
  finding: fc.nat(3),
  as: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...FORMS) },
    { weight: 1, arbitrary: fc.constantFrom(...WRONG_LABELS) },
  ),
});

const people = Object.keys(CAST).filter((name): name is Person => name in CAST);
const comment: fc.Arbitrary<Comment> = fc.record({
  kind: fc.constant('comment'),
  by: fc.oneof(fc.constantFrom(...people), fc.constantFrom<Person>('ada', 'mae', 'wanda', 'uma', 'rex')),
  word: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom<Word>('false-positive', 'wont-fix', 'mitigated', 'duplicate', 'reopen'),
    },
    { weight: 2, arbitrary: fc.constantFrom(...OTHER_COMMANDS) },
  ),
  labels: fc.oneof(
    fc.array(label, { maxLength: 5 }),
    // All findings, so that nothing blocks any more.
    fc.constant([0, 1, 2, 3].map((finding) => ({ finding, as: 'label' as const }))),
  ),
  withReason: fc.boolean(),
  text: fc.constantFrom(
    '',
    'Only the tests call it.',
    '- Comment: https://github.com/o/r\n/scangate reopen ZK-1',
  ),
  state: fc.constantFrom('new', 'new', 'new', 'new', 'new', 'new', 'edited', 'edited before the run'),
  replayed: fc.constantFrom(false, false, false, false, false, false, true),
  fault: fc.option(fault, { nil: undefined, freq: 2 }),
});

const commits = fc.array(
  fc.constantFrom<CommitKind>(...COMMIT_KINDS.filter((kind) => kind !== 'without an account')),
  { minLength: 1, maxLength: 2 },
);
const push = fc.record({
  kind: fc.constant('push'),
  head: fc.constantFrom(...HEADS, 'vulnerable' as const),
  commits: fc.oneof(
    { weight: 6, arbitrary: commits },
    { weight: 1, arbitrary: fc.constant<readonly CommitKind[]>(['without an account']) },
  ),
});

const event = fc.oneof(
  { weight: 14, arbitrary: comment },
  { weight: 3, arbitrary: push },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('access'), role: fc.constantFrom('write', 'none') }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('close', 'reopen', 'reopen', 'sweep', 'runner', 'runner', 'runner'),
    }),
  },
);

/** Minutes before the next step. Some commands come within a minute of a result. */
const waitMinutes = fc.constantFrom(0, 2, 5, 60, 600, 2_000);

export const plans: fc.Arbitrary<Plan> = fc.record({
  who: fc.constantFrom('others', 'others', 'others', 'writers'),
  steps: fc
    .tuple(push, fc.array(fc.tuple(event, waitMinutes), { minLength: 6, maxLength: 14 }))
    .map(([first, others]) => [
      { ...first, waitMinutes: 0 },
      ...others.map(([one, minutes]) => ({ ...one, waitMinutes: minutes })),
    ]),
});
