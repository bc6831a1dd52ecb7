import type { ChosenScan } from '../domain/scan.ts';
import { hashOfText, type LaunchParameters, launchBody, sentValue } from '../scan-api/wire-writes.ts';
import type { FoundGuidance, LaunchableChange, LaunchPlan } from './gate.ts';

/** Plans the launch of the change. Pure. */
export function planLaunch(
  { target, diffBase, preflight }: LaunchableChange,
  parameters: LaunchParameters,
  fromFile?: FoundGuidance,
): LaunchPlan {
  const { baseSha, headSha } = diffBase;
  const chosen: ChosenScan = {
    repositoryId: preflight.repository.id,
    presetRef: preflight.preset.ref,
    creditBudget: preflight.creditBudget,
    baseSha,
    headSha,
  };
  const { given, sets } = parameters;
  const creditBudget = sentValue(parameters, 'creditBudget', preflight.creditBudget);
  const { areas = [], guidance = fromFile?.text } = sets;
  return {
    body: launchBody(chosen, given, fromFile?.text),
    creditBudget,
    keyFields: {
      ...chosen,
      pullRequest: target.pullRequest?.number,
      launchParameters: given,
      guidance: fromFile?.source.hash,
    },
    subject: {
      ...chosen,
      creditBudget,
      areas,
      guidance: guidance === undefined ? undefined : hashOfText(guidance),
    },
  };
}
