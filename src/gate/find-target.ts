import { refuseClosed } from '../change/closed-pull-request.ts';
import { type CurrentTarget, findCurrentTarget } from '../change/current-target.ts';
import { refuseTarget } from '../change/fork-policy.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Result } from '../domain/result.ts';
import { type ScanTarget, scanKindOf } from '../domain/target.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { planBase } from '../preflight/planned-base.ts';
import { type Preflight, preflight } from '../preflight/preflight.ts';
import { refuseTwoGuidances } from '../preflight/stored-guidance.ts';
import type { LaunchParameters } from '../scan-api/wire-writes.ts';
import type { ChangeDeps } from './launch-change.ts';
import { notScanned, type RunResult } from './run-result.ts';

export interface TargetDeps extends ChangeDeps {
  readonly environment: GitHubEnvironment;
  readonly parameters: LaunchParameters;
}

/** A target that may be scanned. */
export interface FoundTarget extends CurrentTarget {
  readonly kind: 'found';
  /** The base that the workflow gives. */
  readonly givenBase: string | undefined;
  readonly preparing: Promise<Result<Preflight, NotScanned>>;
}

/** Reads the pull request as it is now, and the service beside it; decides whether there is something to scan. */
export async function findTarget(
  deps: TargetDeps,
  event: ScanTarget,
): Promise<FoundTarget | { readonly kind: 'ended'; readonly result: RunResult }> {
  const { github, inputs, log, signal } = deps;
  const reading = findCurrentTarget(deps, event, deps.environment.runAttempt === 1);
  const refusal = await refuseTarget(github, event, inputs, signal);
  const given = planBase(event.headSha, inputs.baseSha, deps.parameters);
  const twoGuidances = refuseTwoGuidances(inputs.guidanceFile, deps.parameters);
  // Aborted: no request to the service leaves any more.
  const unneeded = new AbortController();
  if (refusal !== undefined || twoGuidances !== undefined || !given.ok) unneeded.abort();
  const preparing = prepare(deps, event, AbortSignal.any([signal, unneeded.signal]));
  const end = async (result: RunResult) => {
    unneeded.abort();
    await preparing;
    return { kind: 'ended', result } as const;
  };

  const current = await reading;
  if (!current.ok) return end({ target: event, ...notScanned(current.error) });
  const { target, read, notices } = current.value;
  for (const sentence of notices) log.warning(sentence);
  log.info(describeTarget(target));
  const known = { target, pullRequestRead: read };
  const closed = refuseClosed(target);
  if (closed !== undefined) return end({ ...known, ...notScanned(closed, notices) });
  if (refusal !== undefined) return end({ ...known, ...notScanned(refusal, notices) });
  if (!given.ok) return end({ ...known, ...notScanned(given.error, notices) });
  if (twoGuidances !== undefined) return end({ ...known, ...notScanned(twoGuidances, notices) });
  return { kind: 'found', target, read, notices, givenBase: given.value, preparing };
}

function prepare(
  {
    environment,
    inputs,
    parameters,
    api,
    clock,
  }: Pick<TargetDeps, 'environment' | 'inputs' | 'parameters' | 'api' | 'clock'>,
  target: ScanTarget,
  signal: AbortSignal,
): Promise<Result<Preflight, NotScanned>> {
  const willPublish = inputs.publish !== 'never';
  const { owner, name } = target.repository;
  const { serverUrl } = environment;
  const scanKind = scanKindOf(target);
  const wanted = { ...inputs, scanKind, launchParameters: parameters, willPublish, owner, name, serverUrl };
  return preflight({ api, clock, signal }, wanted);
}

function describeTarget({ repository, pullRequest, headSha, base }: ScanTarget): string {
  const where = `${repository.owner}/${repository.name}`;
  switch (base.kind) {
    case 'branch':
      return `Pull request #${pullRequest?.number} of ${where}: ${headSha} onto branch ${base.name}.`;
    case 'merge-group':
      return `Merge group of ${where}: ${headSha} onto ${base.sha}, to be merged into branch ${base.branch}.`;
    case 'none':
      return `All files of ${where} at ${headSha}.`;
    case 'push':
      return `Push to branch ${base.branch} of ${where}: ${headSha} after ${base.before ?? 'no commit: the branch is new'}.`;
  }
}
