import path from 'node:path';
import type { Clock } from '../../src/clock.ts';
import { systemClock } from '../../src/clock.ts';
import type { CheckAnnotation } from '../../src/domain/annotation.ts';
import { readEnvironment } from '../../src/github/environment.ts';
import { readInputs } from '../../src/inputs.ts';
import { createLimits } from '../../src/limits.ts';
import type { Log } from '../../src/log.ts';
import type { Outputs } from '../../src/outputs.ts';
import { run } from '../../src/run.ts';
import { readActionManifest } from '../../src/sandbox/runner/action-manifest.ts';
import { inputVariable, stepInputs } from '../../src/sandbox/runner/inputs.ts';
import { githubContext, runnerContext, stepEnvironment } from '../../src/sandbox/runner/job.ts';
import type { Stage } from '../../src/sandbox/stage.ts';

export interface InProcess {
  readonly event?: { readonly name: string; readonly payload: unknown };
  readonly actor?: string;
  /** Beside `base-url` and `api-token`. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly runAttempt?: number;
  readonly workspace: string;
}

/** What one run told, where nothing of it was thrown. */
export interface Told {
  readonly exitCode: 0 | 1;
  readonly outputs: Outputs | undefined;
  readonly summary: string;
  readonly log: readonly string[];
  readonly warnings: readonly string[];
  readonly annotations: readonly CheckAnnotation[];
}

/** Waits take so much less; requests take the time that they take. */
const TIMES_FASTER = 20;
const ACTION = path.resolve(import.meta.dirname, '../..');

const clock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / TIMES_FASTER, signal),
};

/**
 * Runs the action's own story in this process, against the stand-ins on their sockets: everything but the entry, which
 * the stories with the spawned bundle cover. Rejects where the action would have crashed.
 */
export async function runInProcess(stage: Stage, options: InProcess): Promise<Told> {
  const { workspace, actor, runAttempt = 1 } = options;
  const event = options.event ?? { name: 'pull_request', payload: stage.pullRequestPayload() };
  const places = {
    workspace,
    temp: workspace,
    toolCache: workspace,
    home: workspace,
    eventPath: path.join(workspace, 'event.json'),
    actionPath: ACTION,
  };
  const github = githubContext(
    {
      event,
      repository: stage.repository,
      serverUrl: stage.github.serverUrl,
      apiUrl: stage.github.apiUrl,
      graphqlUrl: stage.github.graphqlUrl,
      token: stage.github.token,
      runAttempt,
      ...(actor === undefined ? {} : { actor }),
    },
    places,
  );
  const runner = runnerContext(places, false);
  const given = { 'base-url': stage.service.baseUrl, 'api-token': stage.service.token, ...options.inputs };
  const manifest = await readActionManifest(ACTION);
  const inputs = stepInputs(manifest.inputs, given, { github, runner }).environment;
  const environment = readEnvironment(stepEnvironment(github, runner, workspace));
  if (!environment.ok) throw new Error(environment.error.cause);
  const getInput = (name: string) => (inputs[inputVariable(name)] ?? '').trim();

  const told = { log: [] as string[], warnings: [] as string[], annotations: [] as CheckAnnotation[] };
  let outputs: Outputs | undefined;
  let summary = '';
  const exitCode = await run({
    clock,
    limits: createLimits(clock),
    log: logInto(told),
    environment: environment.value,
    payload: event.payload,
    reading: readInputs(workspace, { getInput, setSecret: () => {} }),
    workspace,
    state: { save: () => {}, clear: () => {} },
    writeOutputs: (written) => {
      outputs = written;
    },
    writeSummary: async (markdown) => {
      summary += markdown;
    },
  });
  return { ...told, exitCode, outputs, summary };
}

function logInto(told: { log: string[]; warnings: string[]; annotations: CheckAnnotation[] }): Log {
  const add = (text: string) => void told.log.push(text);
  return {
    info: add,
    error: add,
    warning: (text) => {
      told.log.push(text);
      told.warnings.push(text);
    },
    group: (title, lines) => void told.log.push(title, ...lines),
    annotate: (annotation) => {
      told.annotations.push(annotation);
      return true;
    },
    mask: () => {},
  };
}
