import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cpuOfNode, type NodeCommand, runNode } from './bare-process.ts';

/** Node.js with nothing to do. All ratios refer to this process. */
export const BARE_NODE: NodeCommand = { args: ['-e', '0'], env: {} };

export interface ColdStarts {
  /**
   * Runs `main` for an unsupported event. `main` loads everything, reads the inputs and the event, and sends no
   * request.
   */
  readonly main: NodeCommand;
  /** `post` for a job that left nothing to clean up. */
  readonly post: NodeCommand;
  /** Deletes the files that a runner would provide. */
  remove(): Promise<void>;
}

/**
 * Prepares an environment in which `main` and `post` end right after their start. Runs each once, and throws if one
 * does not end as expected.
 */
export async function prepareColdStarts(main: string, post: string): Promise<ColdStarts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-cold-start-'));
  const file = async (name: string, content = '') => {
    await writeFile(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const output = await file('output');
  const env = {
    HOME: folder,
    RUNNER_TEMP: folder,
    GITHUB_WORKSPACE: folder,
    GITHUB_EVENT_NAME: 'workflow_run',
    GITHUB_EVENT_PATH: await file('event.json', '{}'),
    GITHUB_REPOSITORY: 'octo-org/octo-repo',
    GITHUB_OUTPUT: output,
    GITHUB_STATE: await file('state'),
    GITHUB_STEP_SUMMARY: await file('summary'),
    'INPUT_BASE-URL': 'http://127.0.0.1:9/api/v1',
    'INPUT_API-TOKEN': 'bench_proj_key_secret',
    'INPUT_GITHUB-TOKEN': 'bench',
  };
  const starts = {
    main: { args: [main], env },
    post: { args: [post], env },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  const [mainExit, postExit] = [runNode(starts.main).exitCode, runNode(starts.post).exitCode];
  if (mainExit !== 1 || postExit !== 0 || !(await readFile(output, 'utf8')).includes('unsupported-event')) {
    await starts.remove();
    throw new Error(`main and post ended with ${mainExit} and ${postExit}, not right after starting`);
  }
  return starts;
}

/**
 * Measures the starts of all processes in turn, so that other work of the machine affects all of them equally.
 * @returns for each process, the median of its ratios. Each round has one ratio: the processor time of the process,
 * divided by that of the first process
 */
export function startRatios(commands: readonly NodeCommand[], rounds: number): number[] {
  // The first start is not measured, because it reads the files from the disk.
  for (const command of commands) cpuOfNode(command);
  const measured = Array.from({ length: rounds }, () => commands.map(cpuOfNode));
  return commands.map((_, index) =>
    median(measured.map((costs) => (costs[index] ?? Number.NaN) / (costs[0] ?? Number.NaN))),
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
