import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { type ActionManifest, readActionManifest } from '../../sandbox/runner/action-manifest.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import type { ScanServiceOptions } from '../../sandbox/scan-service/options.ts';
import {
  openEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
} from '../support/driver/environment.ts';
import { takeRunFolders } from '../support/driver/run-folders.ts';
import { expectMasked } from '../support/driver/secrecy.ts';
import { reportFault } from '../support/report-schema.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { type Head, openRepository } from './repository.ts';

type ServiceOptions = Partial<ScanServiceOptions>;
type Inputs = Readonly<Record<string, string>>;

/** A completed run of the action. */
export interface ScenarioResult {
  readonly environment: TestEnvironment;
  readonly repository: SharedRepository;
  readonly run: ActionRun;
  readonly headSha: string;
  /** The path of the step's workspace. It contains the files that the step wrote. */
  readonly workspace: string;
}

export interface ScenarioOptions
  extends Partial<Omit<TestEnvironmentOptions, 'directory' | 'headSha' | 'service'>> {
  /** Options of the scanning service, or a function of the repository that returns them. */
  readonly service?: ServiceOptions | ((repository: SharedRepository) => ServiceOptions);
  /** The repository of the scenario. Default: the repository that all tests share. */
  readonly ownRepository?: SharedRepository;
  /** The head of the pull request. Default: `vulnerable`. */
  readonly head?: Head;
  /** The step's `with:`, in addition to `base-url`, `api-token` and `timeout-minutes: 3`. */
  readonly inputs?: Inputs | ((scenario: Scenario) => Inputs);
  /** Returns the options of the run, except its inputs. Called when the environment exists. */
  readonly run?: (scenario: Scenario) => Omit<EnvironmentRunOptions, 'inputs'>;
  /** Prepares the environment before the action starts. */
  readonly before?: (scenario: Scenario) => void | Promise<void>;
}

/** An environment before its first run. */
export interface Scenario {
  readonly environment: TestEnvironment;
  readonly repository: SharedRepository;
  readonly headSha: string;
}

const ACTION_DIRECTORY = path.resolve(import.meta.dirname, '../..');

/** Creates an environment for the running test, and closes it after the test. */
export async function prepare({
  head = 'vulnerable',
  service = {},
  ownRepository,
  ...options
}: ScenarioOptions): Promise<Scenario> {
  const repository = ownRepository ?? (await openRepository());
  const headSha = repository.id(head);
  const environment = await openEnvironment({
    ...options,
    service: typeof service === 'function' ? service(repository) : service,
    directory: repository.dir,
    headSha,
  });
  onTestFinished(() => environment.close());
  return { environment, repository, headSha };
}

/**
 * Runs the action in an environment and checks what holds for every run: each output is written, a JSON report follows
 * its schema, and the tokens are masked first. The environment itself checks that no output has a token.
 */
export async function runPrepared(
  scenario: Scenario,
  options: Pick<ScenarioOptions, 'inputs' | 'run'> = {},
): Promise<ScenarioResult> {
  const { environment } = scenario;
  const { temp, workspace, giveBack } = takeRunFolders();
  onTestFinished(giveBack);
  const given = typeof options.inputs === 'function' ? options.inputs(scenario) : options.inputs;
  const inputs = { 'timeout-minutes': '3', ...given };
  const run = await environment.run({ temp, workspace, ...options.run?.(scenario), inputs });
  const apiToken = given?.['api-token'] ?? environment.service.token;
  const secrets = [environment.github.token, ...(apiToken === '' ? [] : [apiToken])];
  expectMasked(environment, run, secrets);
  // A step whose machine is lost writes no outputs.
  if (run.signal === null) await expectEveryOutput(run);
  await expectValidReport(run);
  return { ...scenario, run, workspace };
}

/** Creates an environment and runs the action in it. */
export async function runScenario(options: ScenarioOptions): Promise<ScenarioResult> {
  const scenario = await prepare(options);
  await options.before?.(scenario);
  return runPrepared(scenario, options);
}

let manifest: Promise<ActionManifest> | undefined;

async function expectEveryOutput(run: ActionRun): Promise<void> {
  manifest ??= readActionManifest(ACTION_DIRECTORY);
  const { outputs } = await manifest;
  expect(Object.keys(run.outputs), run.log).toEqual(outputs);
}

/** Checks that the JSON report agrees with the outputs. */
async function expectValidReport({ outputs, log }: ActionRun): Promise<void> {
  const file = outputs['report-file'];
  if (file === undefined || file === '') return;
  const report: unknown = JSON.parse(await readFile(file, 'utf8'));
  expect(reportFault(report), log).toBeUndefined();
  const { outcome, reason } = outputs;
  expect(report, log).toMatchObject({ outcome, reason: reason === '' ? null : reason });
}
