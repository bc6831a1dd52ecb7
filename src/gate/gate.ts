import { beginLastRead, readFirst, watchPullRequest } from '../change/pull-request.ts';
import type { Outputs } from '../deliver/outputs.ts';
import type { Delivery } from '../deliver/place.ts';
import type { NotScanned, Result } from '../domain/result.ts';
import { createSeal } from '../domain/seal.ts';
import { type ScanTarget, scanKindOf } from '../domain/target.ts';
import { type GatePolicy, neverAllowClosed } from '../domain/verdict.ts';
import { hasPullRequest, readTarget } from '../github/event.ts';
import { type InputReading, TIMEOUT_MINUTES } from '../runner/inputs.ts';
import { createWarnings, type Warnings } from '../runner/log.ts';
import type { WritableState } from '../runner/state.ts';
import { connectGitHub, connectService } from '../start/clients.ts';
import type { StepProcess, Surroundings } from '../start/step-process.ts';
import { type FactsDeps, once } from './facts.ts';
import type { ChangeDeps, Stopwatch } from './plan.ts';

/** What one run of the gate gets from its step. */
export interface RunStep extends StepProcess, Surroundings {
  readonly reading: InputReading;
  /** Absolute path of the job's workspace. */
  readonly workspace: string;
  /** Started when the step started. */
  readonly stopwatch: Stopwatch;
  readonly state: WritableState;
  /** Passes the outputs to the runner. Throws if that fails. */
  readonly writeOutputs: (outputs: Outputs) => void;
  readonly writeSummary: Delivery['writeSummary'];
  /** Keeps the heap small. The run calls this before it reads a long list of findings. */
  readonly preferLittleMemory: () => void;
}

/** The state that all stages of one run share. Each stage takes only the members that it needs. */
export interface Gate extends ChangeDeps, Pick<FactsDeps, 'current'> {
  /** The target that the event names. */
  readonly event: Result<ScanTarget, NotScanned>;
  readonly policy: GatePolicy;
  readonly warnings: Warnings;
}

/** Prepares a run. The limit of the input `timeout-minutes` starts now. */
export function openGate(deps: RunStep): Gate {
  const { clock, random, deadlines, environment, payload, reading, stopwatch, log, state } = deps;
  const { connection, policy, reuseScan, delivery, timeoutMinutes } = reading.inputs;
  // Only the log shows these warnings, because they concern the workflow and not the change.
  for (const sentence of reading.warnings) log.warning(sentence);
  const warnings = createWarnings(log);
  const { warn } = warnings;
  const event = readTarget(environment, payload);
  deadlines.startTimeout(timeoutMinutes ?? TIMEOUT_MINUTES[event.ok ? scanKindOf(event.value) : 'diff']);
  const github = connectGitHub(deps, connection, environment);
  const signal = deadlines.work;
  const isFirst = environment.runAttempt === 1;
  const watch = event.ok
    ? watchPullRequest({ github, clock, deadlines, warn }, event.value, isFirst)
    : undefined;
  const current: FactsDeps['current'] = once(async () => (watch === undefined ? event : readFirst(watch)));
  const api = connectService(deps, connection, {
    // The log of a public repository is public too, so it does not show the service's messages.
    showMessages: async () => {
      if (!event.ok || event.value.repository.isPublic) return false;
      const now = await current();
      return !(now.ok && now.value.repository.isPublic);
    },
    leftMs: deadlines.leftMs,
    onLongList: deps.preferLittleMemory,
  });
  return {
    api,
    github,
    environment,
    event,
    current,
    inputs: { policy, reuseScan, checkName: delivery.checkName, projectId: connection.projectId },
    policy: neverAllowClosed(policy, hasPullRequest(payload)),
    seal: createSeal(connection.apiToken, environment.repositoryId),
    token: once(() => api.token({ signal })),
    stopwatch,
    clock,
    random,
    deadlines,
    signal,
    log,
    warn,
    warnings,
    state,
    watch,
    // The comment needs the last read of the pull request, so this read starts as soon as the scan has completed. If
    // the run writes no comment, only exit 0 needs the read. It then starts after the verdict is known.
    onScanCompleted: delivery.comment === 'never' ? undefined : watch && (() => beginLastRead(watch)),
  };
}
