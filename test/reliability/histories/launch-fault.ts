import { isObject } from '../../../src/sandbox/json.ts';
import type { Exchange } from './network.ts';
import type { Launch, Played } from './played.ts';

/** How a launch stands to the scans that there were before it. */
export interface LaunchJudgement {
  /** The same run has launched before. */
  readonly twiceInOneRun: boolean;
  /** The run had seen a scan of this change on GitHub that could still be used. */
  readonly againstBetterKnowledge: boolean;
  /** There was such a scan, and nothing on GitHub showed it to the run. */
  readonly unseenTwin: boolean;
}

export function judgeLaunch(played: Played, launch: Launch): LaunchJudgement {
  const { town, launches, exchanges } = played;
  const { scans } = town.service;
  const scan = scans.find(({ id }) => id === launch.scanId);
  const earlier = launches.filter((one) => one.process.run === launch.process.run && one.at < launch.at);
  const usable = [...launch.before].flatMap(([id, status]) => {
    const twin = scans.find((one) => one.id === id);
    const isSame =
      twin?.commit === scan?.commit && twin?.baseCommit === scan?.baseCommit && twin?.preset === scan?.preset;
    return isSame && status !== 'FAILED' && status !== 'CANCELLED' ? [id] : [];
  });
  const seen = exchanges
    .filter(
      ({ process, endedAt }) => process === launch.process && endedAt !== undefined && endedAt <= launch.at,
    )
    .flatMap(marksShownBy);
  const listed = scanListedTo(played, launch, usable);
  const known = usable.filter((id) => seen.includes(id) || id === listed);
  return {
    twiceInOneRun: earlier.length > 0,
    againstBetterKnowledge: known.length > 0,
    unseenTwin: usable.length > 0 && known.length === 0,
  };
}

/**
 * The one scan of this change under way that the newest scan list showed to the run. Several are not told apart, and
 * a list or a detail that was lost shows none.
 */
function scanListedTo(
  { exchanges, history }: Played,
  launch: Launch,
  usable: readonly string[],
): string | undefined {
  const mine = exchanges.filter(({ process, sentAt }) => process === launch.process && sentAt < launch.at);
  const list = mine.findLast(({ point, endedAt }) => point === 'scans.list' && endedAt !== undefined);
  const readable =
    !history.terse || mine.every(({ point, fault }) => point !== 'scans.read' || fault === undefined);
  if (!readable || list === undefined || list.fault !== undefined || !isObject(list.answer?.body))
    return undefined;
  const items: unknown = list.answer.body['items'];
  const running = (Array.isArray(items) ? items : []).filter(isObject).flatMap(({ id, status }) => {
    const isRunning = status === 'QUEUED' || status === 'RUNNING';
    return isRunning && typeof id === 'string' && usable.includes(id) ? [id] : [];
  });
  return running.length === 1 ? running[0] : undefined;
}

/** The scans whose marks an answer of GitHub carried, if it arrived whole. */
function marksShownBy({ side, point, fault, answer }: Exchange): string[] {
  if (side !== 'github' || fault !== undefined || answer?.status !== 200) return [];
  if (point !== 'check.list' && point !== 'comments.list' && point !== 'graphql') return [];
  const found = JSON.stringify(answer.body).matchAll(/\bv1:(scan_[0-9a-f]+):/g);
  return [...found].flatMap(([, id]) => id ?? []);
}
