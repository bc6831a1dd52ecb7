import type { ChosenScan, ScanSubject } from '../domain/scan-subject.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { Preflight } from '../preflight/preflight.ts';
import type { EarlierMarks } from '../scan/find-marks.ts';
import type { ScanKeyFields, ScanTrees } from '../scan/scan-key.ts';
import {
  hashOfText,
  type LaunchBody,
  type LaunchParameters,
  launchBody,
  sentValue,
} from '../scan-api/wire-writes.ts';
import type { StepIdentity } from './step-identity.ts';

export interface LaunchableChange {
  readonly target: ScanTarget;
  /** Planned: `launch-parameters` agree with it. */
  readonly diffBase: DiffBase;
  readonly preflight: Preflight;
}

/** A change that is to be scanned, and all that a run has found out about it before. */
export interface Change extends LaunchableChange {
  readonly plan: LaunchPlan;
  /** Undefined where the files of base and head are not known. */
  readonly trees: ScanTrees | undefined;
  /** The marks as they were when the run began. */
  readonly earlier: EarlierMarks;
  readonly identity: StepIdentity;
}

/** The launch of the scan, and how it is recognized. */
export interface LaunchPlan {
  readonly body: LaunchBody;
  /** As the body has it. */
  readonly creditBudget: number | undefined;
  readonly keyFields: ScanKeyFields;
  /** By what the scan is recognized. */
  readonly subject: ScanSubject;
}

/** The guidance of `guidance-file`. */
export interface PlannedGuidance {
  /** Of the file's text: what stands in the keys. */
  readonly fileHash: string;
  /** Composed with the stored guidance: what is sent. */
  readonly text: string;
}

/** The launch of the change. Pure. */
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
    sendsMore: sendsMore(parameters, chosen),
  };
  return {
    body: launchBody(chosen, parameters.given, fromFile?.text),
    creditBudget,
    keyFields: { ...keyFieldsOf(target, preflight, parameters, fromFile?.fileHash), baseSha },
    subject,
  };
}

/**
 * What the key of the target's scan is made of, but for its base.
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

/** A field that is not compared, and whose value is none of those that are. */
function sendsMore({ notCompared }: LaunchParameters, chosen: ChosenScan): boolean {
  const { repositoryId, presetRef, baseSha, headSha } = chosen;
  const renamed: readonly unknown[] = [null, repositoryId, presetRef, baseSha, headSha];
  return notCompared.some((value) => !renamed.includes(value));
}
