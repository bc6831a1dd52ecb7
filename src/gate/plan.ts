import type { NotScanned } from '../domain/result.ts';
import type { ChosenScan, ScanSubject } from '../domain/scan.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { Preflight } from '../preflight/preflight.ts';
import type { RunFacts } from '../report/report.ts';
import type { EarlierMarks, FoundMark } from '../scan/marks.ts';
import type { ScanResult } from '../scan/result.ts';
import type { ScanKeyFields, ScanTrees } from '../scan/scan-mark.ts';
import type { StepIdentity } from '../scan/step-identity.ts';
import {
  hashOfText,
  type LaunchBody,
  type LaunchParameters,
  launchBody,
  sentValue,
} from '../scan-api/wire-writes.ts';

export interface LaunchableChange {
  readonly target: ScanTarget;
  /** The base of the scan. It agrees with `launch-parameters`. */
  readonly diffBase: DiffBase;
  readonly preflight: Preflight;
}

/** A change to scan, and what the run knows about it before the launch. */
export interface Change extends LaunchableChange {
  readonly plan: LaunchPlan;
  /** The exact key of the scan. */
  readonly key: string;
  /** The key by which scans of the same files are found. Undefined if the trees are not known. */
  readonly contentKey: string | undefined;
  /** Undefined if they are not known, if the workflow sets the base, or for a full scan. */
  readonly trees: ScanTrees | undefined;
  /** The marks of earlier scans, as they were at the start of the run. */
  readonly earlier: EarlierMarks;
  /** When the run had read the pull request, and began to read the marks, in milliseconds of `clock.now()`. */
  readonly knownSince: number;
  readonly identity: StepIdentity;
  /** Why this run may launch nothing. It may still use a scan that is paid for. */
  readonly unpaid: NotScanned | undefined;
}

/** The launch of the scan. */
export interface LaunchPlan {
  readonly body: LaunchBody;
  /** The budget in the request body, in whole credits. */
  readonly creditBudget: number | undefined;
  readonly keyFields: ScanKeyFields;
  /** The values by which a scan is recognized as the scan of this launch. */
  readonly subject: ScanSubject;
}

/** The guidance of `guidance-file`. */
export interface PlannedGuidance {
  /** The hash of the file's text. The scan key contains it. */
  readonly fileHash: string;
  /** The text that is sent: the stored guidance, then the file. */
  readonly text: string;
}

/** Plans the launch of the change. Pure. */
export function planLaunch(
  { target, diffBase, preflight }: LaunchableChange,
  parameters: LaunchParameters,
  fromFile?: PlannedGuidance,
): LaunchPlan {
  const { baseSha, headSha } = diffBase;
  const chosen: ChosenScan = {
    repositoryId: preflight.repository.id,
    presetRef: preflight.preset.ref,
    creditBudget: preflight.creditBudget,
    baseSha,
    headSha,
  };
  const creditBudget = sentValue(parameters, 'creditBudget', preflight.creditBudget);
  const { areas = [], guidance = fromFile?.text } = parameters.sets;
  const subject: ScanSubject = {
    ...chosen,
    creditBudget,
    areas,
    guidance: guidance === undefined ? undefined : hashOfText(guidance),
  };
  return {
    body: launchBody(chosen, parameters.given, fromFile?.text),
    creditBudget,
    keyFields: { ...keyFieldsOf(target, preflight, parameters, fromFile?.fileHash), baseSha },
    subject,
  };
}

/**
 * Returns the values from which the key of the scan is made. Only the base is missing.
 * @param guidance SHA-256 of the text of `guidance-file`
 */
function keyFieldsOf(
  { pullRequest, headSha }: ScanTarget,
  { repository, preset, creditBudget }: Preflight,
  { given }: LaunchParameters,
  guidance: string | undefined,
): Omit<ScanKeyFields, 'baseSha'> {
  return {
    repositoryId: repository.id,
    pullRequest: pullRequest?.number,
    headSha,
    presetRef: preset.ref,
    creditBudget,
    launchParameters: given,
    guidance,
  };
}

/** The outcome of a run, and what the run knows by then. */
export interface RunResult extends ScanResult, RunFacts {
  readonly preflight?: Preflight;
  /** Undefined until the run knows the change and the preset. */
  readonly identity?: StepIdentity;
}

/** A result without a scan. */
export function notScanned(failure: NotScanned) {
  return { outcome: { kind: 'not-scanned', failure } } as const;
}

/** What a run does about its event. */
export type Plan = ScanPlan | EndPlan;

export interface ScanPlan {
  readonly kind: 'scan';
  readonly change: Change;
  readonly known: Known;
}

/** A plan in which nothing is scanned. */
export interface EndPlan {
  readonly kind: 'end';
  readonly result: RunResult;
  /** If defined, running scans of older heads are cancelled. */
  readonly superseding?: Superseding;
}

/** A result that has no outcome yet. */
export type Known = Omit<RunResult, 'outcome'>;

export interface Superseding extends LaunchableChange {
  readonly marks: readonly FoundMark[];
}
