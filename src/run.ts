import type { Clock } from './clock.ts';
import { begunCheckRun } from './deliver/check-run.ts';
import { leaveForPost } from './deliver/left-for-post.ts';
import { attempt, type DeliveryWorld } from './deliver/place.ts';
import { deliver } from './deliver.ts';
import type { Delivered } from './domain/delivered.ts';
import type { Publication } from './domain/project.ts';
import { judge, type ScanOutcome, type Verdict } from './domain/verdict.ts';
import { findOutcome, type Story } from './find-outcome.ts';
import type { GitHubEnvironment } from './github/environment.ts';
import { createGitHub } from './github/octokit.ts';
import type { InputReading } from './inputs.ts';
import type { Limits } from './limits.ts';
import type { Log } from './log.ts';
import { type Outputs, outputsOf } from './outputs.ts';
import type { Report } from './report/report.ts';
import { publishScan } from './scan/publish.ts';
import { createScanApi, type ScanApi } from './scan-api/client.ts';
import type { ChangeWorld } from './scan-change.ts';
import type { RunState } from './state.ts';
import { createStepIdentity } from './step-identity.ts';

export interface World {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly environment: GitHubEnvironment;
  /** The event's payload, not yet parsed. */
  readonly payload: unknown;
  readonly reading: InputReading;
  /** Absolute path of the job's workspace. */
  readonly workspace: string;
  readonly state: Pick<RunState, 'save' | 'clear'>;
  /** Throws where the runner does not take them. */
  readonly writeOutputs: (outputs: Outputs) => void;
  readonly writeSummary: DeliveryWorld['writeSummary'];
}

/**
 * One step from its inputs to its exit code: what is the target, may it be scanned, what is the change, scan it,
 * judge, publish, deliver, write the outputs.
 * @returns the exit code: 0 only for what was proven or allowed
 */
export async function run(world: World): Promise<0 | 1> {
  const { limits, log, reading } = world;
  const { inputs } = reading;
  for (const sentence of reading.notices) log.warning(sentence);
  limits.startTimeout(inputs.timeoutMinutes);
  const scene = setScene(world);

  const told = await findOutcome({ ...world, scene });
  const story = { ...told, outcome: markSignal(told.outcome, limits.signalled) };
  const verdict = judge(story.outcome, inputs.policy);
  const leave = (about: Report, checkRunInProgress: Delivered['checkRunInProgress']) =>
    leaveForPost(world.state, about, { checkRunInProgress }, story.leftRunning === true);
  // A job that is killed from here on has a verdict, and `post` must not deny it.
  const judged = reportOf(world, story, verdict, { notices: [] });
  await attempt('state', log.warning, async () => leave(judged, begunCheckRun(story.checkRun)));
  const published = await publish(world, scene.api, story, verdict);
  const report = reportOf(world, story, verdict, published);

  const identity =
    story.target && createStepIdentity(world.environment, inputs, { ...story, target: story.target });
  const delivered = await deliver(
    { ...world, github: scene.lateGitHub, inputs },
    report,
    identity && { identity: identity.checkRun(story.scanId), started: story.checkRun },
    identity?.mark(story.scanId),
  );
  // Before the outputs: where those cannot be written, `post` must not undo what was delivered.
  leave(report, delivered.checkRunInProgress);
  world.writeOutputs(outputsOf(report, delivered));
  return verdict.exitCode;
}

function setScene({ clock, limits, environment, reading, log, state }: World): ChangeWorld {
  const { inputs } = reading;
  const service = {
    baseUrl: inputs.baseUrl,
    token: inputs.apiToken,
    clock,
    acceptedAt: new Map<string, number>(),
  };
  const gitHub = { token: inputs.githubToken, environment, clock };
  return {
    api: createScanApi({ ...service, signal: limits.work, launchSignal: limits.launch }),
    lateApi: createScanApi({ ...service, signal: limits.cancelling }),
    startSearch: () => {
      const signal = limits.startSearch();
      return { api: createScanApi({ ...service, signal }), signal };
    },
    github: createGitHub({ ...gitHub, signal: limits.work }),
    lateGitHub: createGitHub({ ...gitHub, signal: limits.wrapUp }),
    inputs,
    clock,
    signal: limits.work,
    log,
    state,
  };
}

/** A job that was told to end is red, whatever else ended the work before, and whatever is allowed. */
function markSignal(outcome: ScanOutcome, { aborted }: AbortSignal): ScanOutcome {
  if (!aborted || outcome.kind !== 'not-scanned') return outcome;
  return { ...outcome, stop: { ...outcome.stop, bySignal: true } };
}

/** Only what a completed scan proved can be published, and a refusal is a warning. */
async function publish(
  { reading, log }: World,
  api: ScanApi,
  { preflight: ready, scanId }: Story,
  { outcome, findings }: Verdict,
): Promise<{ readonly publication?: Publication; readonly notices: readonly string[] }> {
  const { publish: when, publishPassword } = reading.inputs;
  const wanted = when === 'always' || (when === 'on-findings' && findings.reported.length > 0);
  const completed = outcome === 'passed' || outcome === 'blocked';
  if (!wanted || !completed || ready === undefined || scanId === undefined) return { notices: [] };
  const published = await publishScan(api, ready.projectId, scanId, publishPassword);
  if (published.ok) {
    if (published.value.accessPassword !== null) log.mask(published.value.accessPassword);
    return { publication: published.value, notices: [] };
  }
  log.warning(published.error);
  return { notices: [published.error] };
}

function reportOf(
  { clock, environment, reading }: World,
  story: Story,
  verdict: Verdict,
  published: { readonly publication?: Publication; readonly notices: readonly string[] },
): Report {
  const { inputs } = reading;
  return {
    verdict,
    policy: inputs.policy,
    checkName: inputs.checkName,
    target: story.target,
    diffBase: story.diffBase,
    projectId: story.preflight?.projectId,
    preset: story.preflight?.preset,
    scanId: story.scanId,
    scanStatus: story.scanStatus,
    creditsReserved: story.creditsReserved,
    reused: story.reused === true,
    publication: published.publication,
    serverUrl: environment.serverUrl,
    serviceOrigin: URL.parse(inputs.baseUrl)?.origin ?? '',
    runUrl: environment.runUrl,
    checkRunUrl: undefined,
    notices: [...story.notices, ...published.notices],
    date: clock.date(),
  };
}
