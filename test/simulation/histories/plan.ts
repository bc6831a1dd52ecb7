import type { FaultName } from './faults.ts';
import type { BaseBranch, HeadName } from './fixture-repository.ts';
import type { StrangerScope } from './stranger.ts';

/** A fault in one run. It concerns one kind of request, and can be limited to some requests of this kind. */
export interface Fault {
  readonly point: FaultPoint;
  readonly name: FaultName;
  /** How many requests of this kind come before the first one that has the fault. */
  readonly skip: number;
  readonly times: number;
}

export type FaultPoint = (typeof FAULT_POINTS)[number];
/** The kinds of request that can have a fault: `side:name`, with the fake server's name for the request. */
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
  'github:ref',
  'github:commit',
  'github:pulls.read',
  'github:graphql',
  'github:comments.list',
  'github:comments.create',
  'github:comments.update',
  'github:comments.delete',
  'github:check.list',
  'github:check.create',
  'github:check.update',
] as const;

/** The faults and the end of one run. Milliseconds count from the start of the run. */
export interface Trouble {
  readonly faults: readonly Fault[];
  readonly end: Ending;
}

export type Ending =
  | { readonly kind: 'by itself' }
  /**
   * GitHub cancels the job. The process gets SIGINT, SIGTERM after 7.5 s, and SIGKILL after 10 s.
   * `post` follows in any case.
   */
  | { readonly kind: 'cancelled'; readonly at: number }
  /** The process is killed, and `post` follows. */
  | { readonly kind: 'killed'; readonly at: number }
  /** The process is killed when its launch reaches the service, and `post` follows. */
  | { readonly kind: 'killed at launch' }
  /** The machine is lost, and nothing follows. */
  | { readonly kind: 'lost'; readonly at: number };

/** How long to wait before the next act: milliseconds, or until every job has ended. */
export type Lag = number | 'all over';

export type Act = { readonly lag: Lag } & (
  | {
      readonly kind: 'push';
      /** `back`: the head before the newest push. */
      readonly head: HeadName | 'back';
      readonly cancelsOlder: boolean;
      readonly trouble: Trouble;
    }
  /** Another run for the current head of a pull request. A second event or a second workflow starts it. */
  | { readonly kind: 'parallel'; readonly pull: number; readonly trouble: Trouble }
  /** A run with `reuse-scan: false`. If `sees` is true, `blind` ends: from now on, scans find the vulnerabilities. */
  | { readonly kind: 'fresh'; readonly pull: number; readonly sees: boolean; readonly trouble: Trouble }
  /** A second step of the gate. It has its own audit area, and no `checks: write`. */
  | { readonly kind: 'narrow step'; readonly pull: number; readonly trouble: Trouble }
  /** The title of a pull request is edited. */
  | { readonly kind: 'edit'; readonly pull: number; readonly trouble: Trouble }
  /** Another attempt of an earlier run. The index of the run is `of` modulo the number of runs. */
  | { readonly kind: 're-run'; readonly of: number; readonly trouble: Trouble }
  | { readonly kind: 'triage'; readonly finding: number; readonly resolution: string }
  | { readonly kind: 'severity'; readonly finding: number; readonly severity: string | null }
  /**
   * `fail`, `cancel`, `hold` and `release` concern the newest scan that has not ended. `fail next` and `cancel next`
   * concern the next scan.
   */
  | {
      readonly kind: 'scan';
      readonly does: 'fail' | 'cancel' | 'hold' | 'release' | 'fail next' | 'cancel next';
    }
  /** A stranger with the token of the gate launches a scan of the current change. */
  | { readonly kind: 'stranger'; readonly scope: StrangerScope; readonly when: StrangerMoment }
  /** A workflow with `checks: write` copies what the gate wrote. */
  | {
      readonly kind: 'copier';
      readonly does: 'new check run' | 'overwrite check run' | 'edit comment' | 'copy comment';
      /** Which check run with a mark is copied. 0 is the oldest one. */
      readonly of: number;
      readonly onItsHead: boolean;
      readonly sameName: boolean;
      readonly completed: boolean;
    }
  /** A pull request is closed. If `runs` is true, the workflow also runs on this event. */
  | { readonly kind: 'close'; readonly pull: number; readonly runs: boolean; readonly trouble: Trouble }
  | { readonly kind: 'reopen'; readonly pull: number; readonly trouble: Trouble }
  /** A base branch is deleted, and GitHub closes the pull requests into this branch. */
  | { readonly kind: 'delete base'; readonly branch: BaseBranch }
  | { readonly kind: 'move base'; readonly branch: BaseBranch }
  /** A second pull request is opened. Its head branch is that of the first one. */
  | { readonly kind: 'second'; readonly base: BaseBranch; readonly trouble: Trouble }
  /** The base branch of a pull request is changed. If `runs` is true, the workflow runs on this event. */
  | { readonly kind: 'retarget'; readonly pull: number; readonly runs: boolean; readonly trouble: Trouble }
  /** The list of findings is reordered before the service returns each of the next pages. */
  | { readonly kind: 'shifting pages'; readonly pages: number }
  | {
      readonly kind: 'outage';
      readonly side: 'service' | 'github';
      readonly name: FaultName;
      readonly ms: number;
    }
);

export type StrangerMoment =
  | 'now'
  /**
   * The stranger launches a scan `afterLaunch` milliseconds after the gate sends its next launch. `launch` is the fault
   * of the gate's launch.
   */
  | { readonly afterLaunch: number; readonly launch: FaultName | undefined };

/** What the service hides of a scan. */
export type Hidden = 'nothing' | 'scope' | 'areas' | 'guidance' | 'budget' | 'base' | 'commit' | 'everything';

export interface History {
  /** The seed of latencies and jitter. */
  readonly seed: number;
  /** The most findings on a page of the service. */
  readonly pageSize: number;
  readonly phasesPerPoll: number;
  readonly retryAfterSeconds: number;
  /** Whether the scan list shows neither commits nor the preset. */
  readonly terse: boolean;
  readonly hides: Hidden;
  /** Whether scans find nothing until a `fresh` run. */
  readonly blind: boolean;
  /** How long GitHub's reads lag behind the state of a pull request, in milliseconds. */
  readonly githubLagMs: number;
  /** The longest time until GitHub lists a new check run, in milliseconds. Default: 0. */
  readonly checkRunLagMs?: number;
  /** Whether the workflow sets `allow-unscanned: unsupported-event`. */
  readonly allows: boolean;
  /** Whether the workflow sets `paths-unscanned`. */
  readonly paths: boolean;
  readonly timeoutMinutes: number;
  /** The longest time that a request takes to arrive, in milliseconds. */
  readonly latency: number;
  readonly opened: {
    readonly head: HeadName;
    readonly base: BaseBranch;
    readonly trouble: Trouble;
    readonly lag: Lag;
  };
  readonly acts: readonly Act[];
  /** Whether the last run is for the same head or for another push. The last run has no faults. */
  readonly last: 'same head' | 'push';
}

/** No fault, and no early end. */
export const CALM: Trouble = { faults: [], end: { kind: 'by itself' } };

/** A history in which a calm run follows the calm run of an opened pull request. */
export const PLAIN_HISTORY: History = {
  seed: 0,
  pageSize: 100,
  phasesPerPoll: 1,
  retryAfterSeconds: 1,
  terse: false,
  hides: 'nothing',
  blind: false,
  githubLagMs: 0,
  allows: false,
  paths: false,
  timeoutMinutes: 30,
  latency: 300,
  opened: { head: 'medium 1', base: 'main', trouble: CALM, lag: 'all over' },
  acts: [],
  last: 'same head',
};
