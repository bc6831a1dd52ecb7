import type { Clock } from './clock.ts';
import type { LaunchIntent } from './domain/launch-intent.ts';
import type { NotScanned } from './domain/not-scanned.ts';
import { stopCause } from './domain/stop.ts';
import type { ScanOutcome } from './domain/verdict.ts';
import { confirmEmptyDiff } from './empty-diff.ts';
import type { GitHubClient } from './github/octokit.ts';
import type { Inputs } from './inputs.ts';
import type { LaunchableChange, LaunchPlan } from './launch-plan.ts';
import type { Log } from './log.ts';
import type { OtherScans } from './reuse/other-scans.ts';
import { launchScan } from './scan/launch.ts';
import { launchUnknown } from './scan/launch-unknown.ts';
import { reconcile, type SearchWorld } from './scan/reconcile.ts';
import type { ApiError } from './scan-api/api-error.ts';
import type { ScanApi } from './scan-api/client.ts';
import type { RunState } from './state.ts';

export interface LaunchChangeWorld {
  readonly api: ScanApi;
  /** Begins to look for a launch whose answer was lost; the signal ends the search. */
  readonly startSearch: () => Pick<SearchWorld, 'api' | 'signal'>;
  readonly github: GitHubClient;
  readonly inputs: Inputs;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly state: Pick<RunState, 'save' | 'clear'>;
}

export type LaunchedChange =
  | {
      readonly kind: 'launched';
      readonly scanId: string;
    }
  /** Somebody else launched it while we waited: nothing was launched. */
  | { readonly kind: 'running'; readonly scanId: string }
  | {
      readonly kind: 'ended';
      readonly outcome: ScanOutcome;
      /** There may be a scan, and looking again later may find it. */
      readonly unsettled: boolean;
    };

/**
 * Launches the scan of the change exactly once. What is about to be sent is saved before it is, the scan's id as soon
 * as it is known, and both are cleared when the service surely refused: a job that is killed leaves no scan unknown.
 */
export async function launchChange(
  world: LaunchChangeWorld,
  { target, diffBase, preflight }: LaunchableChange,
  { body, sent }: LaunchPlan,
  others: Pick<OtherScans, 'noted' | 'findAgain'>,
): Promise<LaunchedChange> {
  const { api, clock, signal, log, state } = world;
  const { projectId, repository, preset, token } = preflight;
  const intent = (): LaunchIntent => {
    return { projectId, headSha: target.headSha, noted: others.noted(), wanted: sent };
  };
  const launch = await launchScan(
    {
      api,
      clock,
      signal,
      onWaiting: log.info,
      onSend: () => state.save(intent()),
      onNothingLaunched: state.clear,
      afterLongWait: others.findAgain,
    },
    { projectId, repositoryId: repository.id, body, token },
  );
  const launched = (scanId: string, how: string): LaunchedChange => {
    state.save({ projectId, headSha: target.headSha, scanId });
    log.info(`Scan ${scanId} ${how} with the preset ${preset.ref}.`);
    return { kind: 'launched', scanId };
  };
  switch (launch.kind) {
    case 'launched':
      return launched(launch.scanId, 'was launched');
    case 'running':
      return launch;
    case 'empty-diff':
      return { kind: 'ended', outcome: await confirmEmptyDiff(world.github, diffBase), unsettled: false };
    case 'not-scanned':
      return notScanned(launch.stop);
    case 'lost': {
      const found = await findLostLaunch(world, intent(), launch.error);
      return found.kind === 'found'
        ? launched(found.scanId, 'is the one in the scan list that was launched')
        : notScanned(found.stop, found.unsettled);
    }
  }
}

async function findLostLaunch(
  { clock, log, startSearch }: LaunchChangeWorld,
  intent: LaunchIntent,
  error: ApiError,
): Promise<
  | { readonly kind: 'found'; readonly scanId: string }
  | { readonly kind: 'unknown'; readonly stop: NotScanned; readonly unsettled: boolean }
> {
  log.info('The answer to the launch was lost; looking for the scan in the scan list of the service.');
  const search = startSearch();
  const looked = await reconcile({ clock, ...search }, intent);
  if (looked.kind === 'found') return looked;
  const bySignal =
    stopCause(search.signal) === 'signal' || (error.kind === 'stopped' && error.by === 'signal');
  return {
    kind: 'unknown',
    stop: launchUnknown(error, intent, looked, bySignal),
    unsettled: !looked.settled,
  };
}

function notScanned(stop: NotScanned, unsettled = false): LaunchedChange {
  return { kind: 'ended', outcome: { kind: 'not-scanned', stop }, unsettled };
}
