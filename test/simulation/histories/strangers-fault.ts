import { hiddenMembers } from './environment.ts';
import type { ExceptionKind, Judgement } from './exceptions.ts';
import { lostLaunches } from './lost-launches.ts';
import { isNamedAsLaunched } from './named-scans.ts';
import type { Step } from './network.ts';
import type { SimulatedHistory } from './simulated-history.ts';
import { SHOWN_BY, type StrangerScan } from './stranger.ts';

/** Finds verdicts that use a stranger's scan, and scans of strangers that a run cancelled. */
export function findStrangerFaults(simulated: SimulatedHistory): Judgement {
  const { jobs, exchanges, strangers } = simulated;
  const exceptions: ExceptionKind[] = [];
  const named = (text: string) => [...strangers].filter(([id]) => text.includes(id));
  const believed = jobs.flatMap(({ plan, run, outputs }) => {
    if (outputs?.outcome !== 'passed' && outputs?.outcome !== 'blocked') return [];
    return named(outputs['scan-id']).flatMap(([id, scan]) => {
      const isSame = differences(run.step, scan).length === 0;
      const named = isNamedAsLaunched(simulated, id) ? 'wrong id' : undefined;
      const exception = named ?? (isSame ? excuseOfVerdict(simulated, id, scan) : undefined);
      if (exception !== undefined) exceptions.push(exception);
      return exception === undefined ? [`run ${plan.number} believed ${id} of a stranger`] : [];
    });
  });
  const cancelled = exchanges.flatMap(({ process, point, path }) => {
    if (point !== 'scans.cancel') return [];
    return named(path).flatMap(([id, scan]) => {
      const isNamed = isNamedAsLaunched(simulated, id, process.run);
      const exception = isNamed ? 'wrong id' : excuseOf(simulated, id, scan);
      if (exception !== undefined) exceptions.push(exception);
      return exception === undefined ? [`run ${process.run} cancelled ${id} of a stranger`] : [];
    });
  });
  return { broken: [...believed, ...cancelled], exceptions };
}

/**
 * The exception that allows a verdict to use a stranger's scan. Called only if that scan has the scope that the run
 * asked for.
 */
function excuseOfVerdict(
  simulated: SimulatedHistory,
  scanId: string,
  stranger: StrangerScan,
): ExceptionKind | undefined {
  const isNamed = simulated.exchanges.some(({ fault }) => fault === 'older id');
  return excuseOf(simulated, scanId, stranger) ?? (isNamed ? 'wrong id' : undefined);
}

/**
 * The exception for a run that lost the answer to its launch. The run cannot distinguish the stranger's scan from its
 * own scan.
 */
function excuseOf(
  simulated: SimulatedHistory,
  scanId: string,
  stranger: StrangerScan,
): ExceptionKind | undefined {
  const { exchanges, jobs, history, environment } = simulated;
  const scan = environment.service.scans.find(({ id }) => id === scanId);
  const hidden = hiddenMembers(history);
  // Each entry is for a run that lost the answer to its launch. It lists how the scan differs from what the run asked
  // for.
  const lost = jobs
    .filter(({ plan }) => plan.headSha === scan?.commit)
    .filter((job) => lostLaunches(exchanges, job).some((at) => at <= stranger.at))
    .map(({ run }) => differences(run.step, stranger));
  if (lost.some((members) => members.length === 0)) return 'launched like ours';
  return lost.some((members) => members.every((member) => hidden.includes(member)))
    ? 'difference hidden'
    : undefined;
}

/** The members of a scan that distinguish the stranger's scan from a scan of this step. */
function differences(step: Step, { scope }: StrangerScan): readonly string[] {
  if (step === 'whole') return SHOWN_BY[scope];
  return scope === 'areas' ? [] : [...SHOWN_BY.areas, ...SHOWN_BY[scope]];
}
