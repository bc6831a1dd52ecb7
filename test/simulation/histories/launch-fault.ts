import type { Exchange } from './network.ts';
import type { Launch, SimulatedHistory } from './simulated-history.ts';

/** How a launch stands to the scans that there were before it. */
export interface LaunchJudgement {
  /** The same run has launched before. */
  readonly twiceInOneRun: boolean;
  /** The run had seen a scan of this change on GitHub that could still be used. */
  readonly againstBetterKnowledge: boolean;
  /** There was such a scan, and nothing on GitHub showed it to the run. */
  readonly unseenTwin: boolean;
}

export function judgeLaunch(simulated: SimulatedHistory, launch: Launch): LaunchJudgement {
  const { environment, launches, exchanges, otherUserScans } = simulated;
  const { scans } = environment.service;
  const scan = scans.find(({ id }) => id === launch.scanId);
  const earlier = launches.filter(
    (one) =>
      one.process.run === launch.process.run && one.at < launch.at && !wasYielded(exchanges, one, launch),
  );
  const usable = [...launch.before].flatMap(([id, status]) => {
    const twin = scans.find((one) => one.id === id);
    const isSame =
      twin?.commit === scan?.commit && twin?.baseCommit === scan?.baseCommit && twin?.preset === scan?.preset;
    return isSame && status !== 'FAILED' && status !== 'CANCELLED' && !otherUserScans.has(id) ? [id] : [];
  });
  const seen = exchanges
    .filter(
      ({ process, endedAt }) => process === launch.process && endedAt !== undefined && endedAt <= launch.at,
    )
    .flatMap(marksShownBy);
  const known = usable.filter((id) => seen.includes(id));
  return {
    twiceInOneRun: earlier.length > 0,
    againstBetterKnowledge: known.length > 0,
    unseenTwin: usable.length > 0 && known.length === 0,
  };
}

/** The run cancelled that scan itself, to follow the one of another job, before it launched again. */
function wasYielded(exchanges: readonly Exchange[], first: Launch, again: Launch): boolean {
  return exchanges.some(
    ({ process, point, path, endedAt }) =>
      process === first.process &&
      point === 'scans.cancel' &&
      path.includes(first.scanId) &&
      endedAt !== undefined &&
      endedAt <= again.at,
  );
}

/** The scans whose marks an answer of GitHub carried, if it arrived whole. */
function marksShownBy({ side, point, fault, answer }: Exchange): string[] {
  if (side !== 'github' || fault !== undefined || answer?.status !== 200) return [];
  if (point !== 'check.list' && point !== 'comments.list' && point !== 'graphql') return [];
  const found = JSON.stringify(answer.body).matchAll(/\bv[12]:(scan_[0-9a-f]+):/g);
  return [...found].flatMap(([, id]) => id ?? []);
}
