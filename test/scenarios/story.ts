import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { GitFixture } from '../../sandbox/git-fixture.ts';
import { readActionManifest } from '../../sandbox/runner/action-manifest.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import type { ScanServiceOptions } from '../../sandbox/scan-service/options.ts';
import { expectMasked } from '../support/driver/secrecy.ts';
import { openStage, type TestStage, type TestStageOptions } from '../support/driver/stage.ts';
import { closeAtEndOfFile } from '../support/end-of-file.ts';
import { createRepository, type Head } from './repository.ts';

type ServiceOptions = Partial<ScanServiceOptions>;
type Inputs = Readonly<Record<string, string>>;

/** One run of the action, over. */
export interface Story {
  readonly stage: TestStage;
  readonly repository: GitFixture;
  readonly run: ActionRun;
  readonly headSha: string;
  /** What the step left in its workspace. */
  readonly workspace: string;
}

export interface StoryOptions extends Partial<Omit<TestStageOptions, 'directory' | 'headSha' | 'service'>> {
  /** Options of the scanning service, which may speak of the repository. */
  readonly service?: ServiceOptions | ((repository: GitFixture) => ServiceOptions);
  /** Default: `vulnerable`. */
  readonly head?: Head;
  /** The step's `with:`, beside `base-url`, `api-token` and `timeout-minutes: 3`. */
  readonly inputs?: Inputs | ((scene: Scene) => Inputs);
  /** Everything else about the run, when the stage stands. */
  readonly run?: (scene: Scene) => Omit<EnvironmentRunOptions, 'inputs'>;
  /** What has to be so before the action starts. */
  readonly before?: (scene: Scene) => void | Promise<void>;
}

/** A stage whose curtain is still down. */
export interface Scene {
  readonly stage: TestStage;
  readonly repository: GitFixture;
  readonly headSha: string;
}

const ACTION_DIRECTORY = path.resolve(import.meta.dirname, '../..');

/** Made by the first story of a file, and only ever read: the stories of one file share it. */
let shared: Promise<GitFixture> | undefined;

function sharedRepository(): Promise<GitFixture> {
  if (shared !== undefined) return shared;
  const made = createRepository();
  closeAtEndOfFile(async () => {
    shared = undefined;
    await (await made).remove();
  });
  shared = made;
  return made;
}

/** Sets a stage for the running test; it is taken down when the test is over. */
export async function prepare({
  head = 'vulnerable',
  service = {},
  ...options
}: StoryOptions): Promise<Scene> {
  const repository = await sharedRepository();
  const headSha = repository.id(head);
  const stage = await openStage({
    ...options,
    service: typeof service === 'function' ? service(repository) : service,
    directory: repository.dir,
    headSha,
  });
  onTestFinished(() => stage.close());
  return { stage, repository, headSha };
}

/**
 * Runs the action on a stage and holds what every run promises: each output is written, and the tokens are masked
 * first. That they can be read nowhere is held by the stage itself.
 */
export async function play(scene: Scene, options: Pick<StoryOptions, 'inputs' | 'run'> = {}): Promise<Story> {
  const { stage } = scene;
  const own = await mkdtemp(path.join(tmpdir(), 'scangate-story-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const temp = await mkdtemp(path.join(own, 'temp-'));
  const workspace = await mkdtemp(path.join(own, 'work-'));
  const given = typeof options.inputs === 'function' ? options.inputs(scene) : options.inputs;
  const inputs = { 'timeout-minutes': '3', ...given };
  const run = await stage.run({ temp, workspace, ...options.run?.(scene), inputs });
  const apiToken = given?.['api-token'] ?? stage.service.token;
  const secrets = [stage.github.token, ...(apiToken === '' ? [] : [apiToken])];
  expectMasked(stage, run, secrets);
  await expectEveryOutput(run);
  return { ...scene, run, workspace };
}

/** Sets the stage and plays on it. */
export async function tell(options: StoryOptions): Promise<Story> {
  const scene = await prepare(options);
  await options.before?.(scene);
  return play(scene, options);
}

async function expectEveryOutput(run: ActionRun): Promise<void> {
  const { outputs } = await readActionManifest(ACTION_DIRECTORY);
  expect(Object.keys(run.outputs), run.log).toEqual(outputs);
}
