import { type CurrentTarget, findCurrentTarget, type PullRequestRead } from '../change/current-target.ts';
import { findDiffBase } from '../change/diff-base.ts';
import { refuseTarget } from '../change/fork-policy.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Result } from '../domain/result.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { unsupportedEvent } from '../github/event.ts';
import { type Preflight, preflight } from '../preflight/preflight.ts';
import type { InputReading, Inputs } from '../runner/inputs.ts';
import { findEarlierMarks } from '../scan/find-marks.ts';
import { exactKey } from '../scan/scan-key.ts';
import { type LaunchParameters, readLaunchParameters } from '../scan-api/wire-writes.ts';
import { readClosedPullRequest } from './closed-pull-request.ts';
import type { Scanned } from './follow-launched.ts';
import type { ChangeDeps } from './launch-change.ts';
import { planBase, planLaunch } from './launch-plan.ts';
import { scanChange } from './scan-change.ts';
import { createStepIdentity, type StepIdentity } from './step-identity.ts';

export interface OutcomeDeps {
  readonly environment: GitHubEnvironment;
  /** What the event names. */
  readonly event: Result<ScanTarget, NotScanned>;
  readonly reading: InputReading;
  readonly changeDeps: ChangeDeps;
}

/** What is known by the time the outcome is. */
export interface RunResult extends Scanned {
  readonly target?: ScanTarget;
  /** The pull request as it was read first; undefined where it could not be. */
  readonly pullRequestRead?: PullRequestRead | undefined;
  readonly diffBase?: DiffBase;
  readonly preflight?: Preflight;
  /** Where there is no preflight. */
  readonly projectId?: string;
  /** Undefined before the change and its preset are known. */
  readonly identity?: StepIdentity;
}

/**
 * The way from the event to the outcome: what is the target, may it be scanned, what is the change, scan it.
 * Expected failures are outcomes; what is worth a warning is logged on the way.
 */
export async function findOutcome({
  environment,
  event,
  reading,
  changeDeps,
}: OutcomeDeps): Promise<RunResult> {
  const { inputs } = reading;
  // Forks get no variables either: an address that the workflow takes from one is empty like the token.
  const withheld = inputs.apiToken === '' && event.ok && event.value.pullRequest?.secretsWithheld === true;
  const faults = [...(withheld ? [] : reading.missing), ...reading.faults];
  if (faults.length > 0)
    return { ...(event.ok ? { target: event.value } : {}), ...stop(inputErrors(faults)) };
  if (!event.ok) return stop(event.error);

  const parameters = readLaunchParameters(inputs.launchParameters);
  const deps = { environment, inputs, parameters, changeDeps };
  const found = await findTarget(deps, event.value);
  return found.kind === 'ended' ? found.result : scanTarget(deps, found);
}

interface FindOutcomeDeps {
  readonly environment: GitHubEnvironment;
  readonly inputs: Inputs;
  readonly parameters: LaunchParameters;
  readonly changeDeps: ChangeDeps;
}

/** A target that may be scanned. */
interface FoundTarget extends CurrentTarget {
  readonly kind: 'found';
  /** The base that the workflow gives. */
  readonly givenBase: string | undefined;
  readonly preparing: Promise<Result<Preflight, NotScanned>>;
}

/** Reads the pull request as it is now, and the service beside it; decides whether there is something to scan. */
async function findTarget(
  deps: FindOutcomeDeps,
  event: ScanTarget,
): Promise<FoundTarget | { readonly kind: 'ended'; readonly result: RunResult }> {
  const { github, log, signal } = deps.changeDeps;
  const reading = findCurrentTarget(deps.changeDeps, event, deps.environment.runAttempt === 1);
  const refusal = await refuseTarget(github, event, deps.inputs, signal);
  const given = planBase(event.headSha, deps.inputs.baseSha, deps.parameters);
  // Aborted: no request to the service leaves any more.
  const unneeded = new AbortController();
  if (refusal !== undefined || !given.ok) unneeded.abort();
  const preparing = prepare(deps, event, AbortSignal.any([signal, unneeded.signal]));
  const end = async (result: RunResult) => {
    unneeded.abort();
    await preparing;
    return { kind: 'ended', result } as const;
  };

  const current = await reading;
  if (!current.ok) return end({ target: event, ...stop(current.error) });
  const { target, read, notices } = current.value;
  for (const sentence of notices) log.warning(sentence);
  log.info(sayTarget(target));
  const known = { target, pullRequestRead: read };
  const state = target.pullRequest?.state;
  if (state === 'reopened') return end({ ...known, ...stop(REOPENED, notices) });
  if (state === 'closed') {
    // Reading costs nothing, so it takes no admission.
    const ready = () => (unneeded.signal.aborted ? prepare(deps, event, signal) : preparing);
    const { environment, parameters } = deps;
    const closedDeps = { ...deps.changeDeps, environment, parameters };
    const closed = await readClosedPullRequest(closedDeps, target, read?.state, ready);
    for (const sentence of closed.notices) log.warning(sentence);
    return end({ ...known, ...closed, notices: [...notices, ...closed.notices] });
  }
  if (refusal !== undefined) return end({ ...known, ...stop(refusal, notices) });
  if (!given.ok) return end({ ...known, ...stop(given.error, notices) });
  return { kind: 'found', target, read, notices, givenBase: given.value, preparing };
}

const REOPENED: NotScanned = {
  ...unsupportedEvent('The pull request was closed when this event was sent, and is open again'),
  nextStep: 'See the run that the reopening started, or push a commit.',
};

function prepare(
  { environment, inputs, parameters, changeDeps }: FindOutcomeDeps,
  { repository: { owner, name } }: ScanTarget,
  signal: AbortSignal,
): Promise<Result<Preflight, NotScanned>> {
  const willPublish = inputs.publish !== 'never';
  const { serverUrl } = environment;
  const wanted = { ...inputs, launchParameters: parameters, willPublish, owner, name, serverUrl };
  return preflight({ ...changeDeps, signal }, wanted);
}

async function scanTarget(
  { environment, inputs, parameters, changeDeps }: FindOutcomeDeps,
  { target, read, notices, givenBase, preparing }: FoundTarget,
): Promise<RunResult> {
  const { github, log, signal } = changeDeps;
  const { runAttempt } = environment;
  const earlierMarks = findEarlierMarks(
    { github, signal, inputs, runAttempt, log, state: read?.state },
    target,
  );
  const [base, ready] = await Promise.all([
    findDiffBase({ ...changeDeps, githubToken: inputs.githubToken, environment }, target, givenBase),
    preparing,
  ]);
  const known = {
    target,
    pullRequestRead: read,
    ...(base.ok ? { diffBase: base.value.diffBase } : {}),
    ...(ready.ok ? { preflight: ready.value } : {}),
  };
  const noticed = [...notices, ...(base.ok ? base.value.notices : [])];
  if (base.ok) {
    const { diffBase } = base.value;
    for (const sentence of base.value.notices) log.warning(sentence);
    log.info(sayBase(diffBase));
    if (isUnchanged(diffBase)) return { ...known, outcome: { kind: 'unchanged' }, notices: noticed };
  }
  if (!ready.ok) {
    return { ...known, ...stop(ready.error, [...noticed, ...(base.ok ? [] : [base.error.cause])]) };
  }
  if (!base.ok) return { ...known, ...stop(base.error, noticed) };
  for (const sentence of ready.value.notices) log.warning(sentence);

  const launchable = { target, diffBase: base.value.diffBase, preflight: ready.value };
  const plan = planLaunch(launchable, parameters);
  const identity = createStepIdentity(environment, inputs, target.headSha, {
    ...plan.keyFields,
    key: exactKey(plan.keyFields),
  });
  const change = { ...launchable, environment, plan, identity, earlierMarks };
  const scanned = await scanChange(changeDeps, change);
  for (const sentence of scanned.notices) log.warning(sentence);
  return {
    ...known,
    identity,
    ...scanned,
    notices: [...noticed, ...ready.value.notices, ...scanned.notices],
  };
}

/** Only a base that was computed proves that nothing changed. */
function isUnchanged({ baseSha, headSha, how }: DiffBase): boolean {
  return how !== 'input' && baseSha === headSha;
}

function stop(stopped: NotScanned, notices: readonly string[] = []): Pick<RunResult, 'outcome' | 'notices'> {
  return { outcome: { kind: 'not-scanned', stop: stopped }, notices };
}

function inputErrors(errors: readonly string[]): NotScanned {
  const [first = ''] = errors;
  const several = errors.length > 1;
  return {
    reason: 'configuration',
    cause: several ? `${errors.length} input errors were found.` : first,
    ...(several ? { problems: errors } : {}),
    nextStep: `Fix ${several ? 'them' : 'it'} under \`with:\` in the workflow and push.`,
  };
}

function sayTarget({ repository: { owner, name }, pullRequest, headSha, base }: ScanTarget): string {
  const what = pullRequest === undefined ? 'Merge group' : `Pull request #${pullRequest.number}`;
  const onto =
    base.kind === 'branch' ? `branch ${base.name}` : `${base.sha}, to be merged into branch ${base.branch}`;
  return `${what} of ${owner}/${name}: ${headSha} onto ${onto}.`;
}

function sayBase({ baseSha, headSha, how }: DiffBase): string {
  const found = {
    input: 'set in the workflow',
    compare: 'merge base, from GitHub',
    git: 'merge base, from git',
    mark: 'from an earlier scan',
  }[how];
  return `Change: ${baseSha}..${headSha} (base: ${found}).`;
}
