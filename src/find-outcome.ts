import { refuseTarget } from './admission.ts';
import { findDiffBase } from './diff-base.ts';
import type { NotScanned } from './domain/not-scanned.ts';
import type { DiffBase, ScanTarget } from './domain/target.ts';
import type { GitHubEnvironment } from './github/environment.ts';
import { readTarget } from './github/event.ts';
import type { InputReading } from './inputs.ts';
import { planBase } from './launch-plan.ts';
import { findEarlierMarks } from './reuse/earlier-marks.ts';
import { scanParts } from './reuse/parts.ts';
import { type Preflight, preflight } from './scan/preflight.ts';
import type { ScanParts } from './scan/scan-mark.ts';
import { type ChangeWorld, type Scanned, scanChange } from './scan-change.ts';
import { createStepIdentity } from './step-identity.ts';

export interface OutcomeWorld {
  readonly environment: GitHubEnvironment;
  /** The event's payload, not yet parsed. */
  readonly payload: unknown;
  readonly reading: InputReading;
  readonly scene: ChangeWorld;
}

/** What is known by the time the outcome is; told to every place. */
export interface Story extends Scanned {
  readonly target?: ScanTarget;
  readonly diffBase?: DiffBase;
  readonly preflight?: Preflight;
  readonly parts?: ScanParts;
}

/**
 * The way from the event to the outcome: what is the target, may it be scanned, what is the change, scan it.
 * Expected failures are outcomes; what is worth a warning is logged on the way.
 */
export async function findOutcome({ environment, payload, reading, scene }: OutcomeWorld): Promise<Story> {
  const { log } = scene;
  const { inputs } = reading;
  const read = readTarget(environment, payload);
  // Forks get no variables either: an address that the workflow takes from one is empty like the token.
  const withheld = inputs.apiToken === '' && read.ok && read.value.pullRequest?.secretsWithheld === true;
  const faults = [...(withheld ? [] : reading.missing), ...reading.faults];
  if (faults.length > 0) return { ...(read.ok ? { target: read.value } : {}), ...stop(inputFault(faults)) };
  if (!read.ok) return stop(read.error);
  const target = read.value;
  log.info(sayTarget(target));
  const refusal = await refuseTarget(scene.github, target, inputs, scene.signal);
  if (refusal !== undefined) return { target, ...stop(refusal) };

  const { runAttempt } = environment;
  const readMarks = () => findEarlierMarks({ github: scene.github, inputs, runAttempt, log }, target);
  const earlierMarks = readMarks();
  const [found, ready] = await Promise.all([
    findDiffBase({ ...scene, githubToken: inputs.githubToken, environment }, target, inputs.baseCommit),
    preflight(scene, {
      ...inputs,
      willPublish: inputs.publish !== 'never',
      owner: target.repository.owner,
      name: target.repository.name,
      serverUrl: environment.serverUrl,
    }),
  ]);
  const base = found.ok ? planBase(found.value, inputs.launchParameters) : found;
  const known = {
    target,
    ...(base.ok ? { diffBase: base.value } : {}),
    ...(ready.ok ? { preflight: ready.value } : {}),
  };
  if (base.ok) {
    log.info(sayBase(base.value));
    if (base.value.baseCommit === target.headSha) {
      return { ...known, outcome: { kind: 'unchanged' }, notices: [] };
    }
  }
  if (!ready.ok) return { ...known, ...stop(ready.error, base.ok ? [] : [base.error.cause]) };
  if (!base.ok) return { ...known, ...stop(base.error) };
  for (const sentence of ready.value.notices) log.warning(sentence);

  const parts = scanParts(target, base.value, ready.value, inputs);
  const { checkRun: identityOf } = createStepIdentity(environment, inputs, { target, parts });
  const change = { target, diffBase: base.value, preflight: ready.value, parts, identityOf };
  const scanned = await scanChange(scene, { ...change, earlierMarks, readMarks });
  for (const sentence of scanned.notices) log.warning(sentence);
  return { ...known, parts, ...scanned, notices: [...ready.value.notices, ...scanned.notices] };
}

function stop(stopped: NotScanned, notices: readonly string[] = []): Pick<Story, 'outcome' | 'notices'> {
  return { outcome: { kind: 'not-scanned', stop: stopped }, notices };
}

function inputFault(faults: readonly string[]): NotScanned {
  return {
    reason: 'configuration',
    cause: faults.join(' '),
    nextStep: `Correct ${faults.length === 1 ? 'it' : 'them'} in the workflow, under \`with:\`.`,
  };
}

function sayTarget({ repository: { owner, name }, pullRequest, headSha, base }: ScanTarget): string {
  const what = pullRequest === undefined ? 'Merge group' : `Pull request #${pullRequest.number}`;
  const onto = base.kind === 'branch' ? `branch ${base.name}` : base.sha;
  return `${what} of ${owner}/${name}: ${headSha} onto ${onto}.`;
}

function sayBase({ baseCommit, headCommit, how }: DiffBase): string {
  const found = {
    input: 'given in the workflow',
    compare: "the merge base from GitHub's comparison",
    git: 'the merge base, computed by git',
  }[how];
  return `The change is ${baseCommit}..${headCommit}; the base is ${found}.`;
}
