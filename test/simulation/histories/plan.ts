import type { FaultName } from './faults.ts';
import type { BaseBranch, HeadName } from './fixture-repository.ts';
import type { StrangerScope } from './stranger.ts';

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
  /** As `killed`, when its launch reaches the service. */
  | { readonly kind: 'killed at launch' }
  /** The machine is lost: nothing follows. */
  | { readonly kind: 'lost'; readonly at: number };

/** Milliseconds until the next act, or until every job is over. */
export type Lag = number | 'all over';

export type Act = { readonly lag: Lag } & (
  | {
      readonly kind: 'push';
      /** `back`: the one before the newest push. */
      readonly head: HeadName | 'back';
      readonly cancelsOlder: boolean;
      readonly trouble: Trouble;
    }
  /** Another run for the same head: a second event, or a second workflow. */
  | { readonly kind: 'parallel'; readonly pull: number; readonly trouble: Trouble }
  /** A run with `reuse-scan: false`, after which the service finds what it did not find before, if it `sees`. */
  | { readonly kind: 'fresh'; readonly pull: number; readonly sees: boolean; readonly trouble: Trouble }
  /** A second step of the gate, with an audit area of its own, and without `checks: write`. */
  | { readonly kind: 'narrow step'; readonly pull: number; readonly trouble: Trouble }
  /** A title is edited. */
  | { readonly kind: 'edit'; readonly pull: number; readonly trouble: Trouble }
  /** Another attempt of an earlier run, chosen by its number modulo the runs there are. */
  | { readonly kind: 're-run'; readonly of: number; readonly trouble: Trouble }
  | { readonly kind: 'triage'; readonly finding: number; readonly resolution: string }
  | { readonly kind: 'severity'; readonly finding: number; readonly severity: string | null }
  /** The newest scan that is not over is ended or held by the service or by a person, or the next one ends so. */
  | {
      readonly kind: 'scan';
      readonly does: 'fail' | 'cancel' | 'hold' | 'release' | 'fail next' | 'cancel next';
    }
  /** A stranger with the token of the gate launches a scan of the change as it is now. */
  | { readonly kind: 'stranger'; readonly scope: StrangerScope; readonly when: StrangerMoment }
  /** A workflow with `checks: write` copies what the gate wrote. */
  | {
      readonly kind: 'copier';
      readonly does: 'new check run' | 'overwrite check run' | 'edit comment' | 'copy comment';
      /** Which of the marked check runs, the oldest first. */
      readonly of: number;
      readonly onItsHead: boolean;
      readonly sameName: boolean;
      readonly completed: boolean;
    }
  /** `runs`: the workflow runs on this event too. */
  | { readonly kind: 'close'; readonly pull: number; readonly runs: boolean; readonly trouble: Trouble }
  | { readonly kind: 'reopen'; readonly pull: number; readonly trouble: Trouble }
  /** GitHub closes the pull requests onto a branch that is deleted. */
  | { readonly kind: 'delete base'; readonly branch: BaseBranch }
  | { readonly kind: 'move base'; readonly branch: BaseBranch }
  /** Another pull request with the same head branch. */
  | { readonly kind: 'second'; readonly base: BaseBranch; readonly trouble: Trouble }
  /** To the other base branch. */
  | { readonly kind: 'retarget'; readonly pull: number; readonly runs: boolean; readonly trouble: Trouble }
  /** The next pages of findings are read from a list that is turned between one page and the next. */
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
  /** So many milliseconds after the next launch of the gate was sent, to which this happens. */
  | { readonly afterLaunch: number; readonly launch: FaultName | undefined };

/** What the service does not show of a scan. */
export type Hidden = 'nothing' | 'scope' | 'areas' | 'guidance' | 'budget' | 'base' | 'commit';

export interface History {
  /** For latencies and jitter. */
  readonly seed: number;
  /** The service caps its pages at so many items. */
  readonly pageSize: number;
  readonly phasesPerPoll: number;
  readonly retryAfterSeconds: number;
  /** The scan list shows neither commits nor the preset. */
  readonly terse: boolean;
  readonly hides: Hidden;
  /** The scans find nothing until a `fresh` run. */
  readonly blind: boolean;
  /** GitHub's reads show a change of a pull request so many milliseconds later. */
  readonly githubLagMs: number;
  /** `allow-unscanned: unsupported-event`. */
  readonly allows: boolean;
  /** `paths-unscanned` is set. */
  readonly paths: boolean;
  readonly timeoutMinutes: number;
  /** The longest that a request is under way, in milliseconds. */
  readonly latency: number;
  readonly opened: {
    readonly head: HeadName;
    readonly base: BaseBranch;
    readonly trouble: Trouble;
    readonly lag: Lag;
  };
  readonly acts: readonly Act[];
  /** The calm run at the end: for the head as it is, or after another push. */
  readonly last: 'same head' | 'push';
}
