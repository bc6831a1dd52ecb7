import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentPairs } from './environment-file.ts';
import type { SecretMasker } from './secret-masker.ts';
import type { StepLog } from './step-log.ts';

/**
 * The files that a step writes for the runner. The key is the variable with the path of the file. The value is the
 * beginning of its name.
 */
const FILES = {
  GITHUB_ENV: 'set_env',
  GITHUB_OUTPUT: 'set_output',
  GITHUB_PATH: 'add_path',
  GITHUB_STATE: 'save_state',
  GITHUB_STEP_SUMMARY: 'step_summary',
} as const;
type FileVariable = keyof typeof FILES;

/**
 * GitHub documents: "Job summaries are isolated between steps and each step is restricted to a maximum size of 1MiB."
 */
const LARGEST_SUMMARY_BYTES = 1024 * 1024;

export interface FileResults {
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  /** The environment variables for later steps of the job. */
  readonly env: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  /** The summary with masked secrets. Empty if it was too large to be shown. */
  readonly summary: string;
}

/** Creates the files in a folder inside `temp`. They are empty at first. */
export async function createFileCommands(temp: string) {
  const directory = join(temp, '_runner_file_commands');
  await mkdir(directory, { recursive: true });
  const suffix = crypto.randomUUID();
  const pathOf = (variable: FileVariable) => join(directory, `${FILES[variable]}_${suffix}`);
  const environment = {
    GITHUB_ENV: pathOf('GITHUB_ENV'),
    GITHUB_OUTPUT: pathOf('GITHUB_OUTPUT'),
    GITHUB_PATH: pathOf('GITHUB_PATH'),
    GITHUB_STATE: pathOf('GITHUB_STATE'),
    GITHUB_STEP_SUMMARY: pathOf('GITHUB_STEP_SUMMARY'),
  };
  await Promise.all(Object.values(environment).map((path) => writeFile(path, '')));
  return {
    /** The variables with the paths of the files. */
    environment,
    /**
     * Reads the files of the step. Errors appear in the log. An error fails the step only if it does so in GitHub's
     * runner.
     */
    read: async (log: StepLog, masker: SecretMasker): Promise<FileResults> => {
      // GitHub's runner treats a missing file as an empty one, because a step may delete its files.
      const text = (variable: FileVariable) => readFile(environment[variable], 'utf8').catch(() => '');
      const env = pairs(await text('GITHUB_ENV'), 'env', log);
      if (Object.keys(env).some((name) => name.toUpperCase() === 'NODE_OPTIONS')) {
        log.issue('error', "Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.");
      }
      return {
        env: Object.fromEntries(
          Object.entries(env).filter(([name]) => name.toUpperCase() !== 'NODE_OPTIONS'),
        ),
        outputs: pairs(await text('GITHUB_OUTPUT'), 'output', log),
        state: pairs(await text('GITHUB_STATE'), 'state', log),
        path: (await text('GITHUB_PATH')).split(/\r\n|\n|\r/).filter((line) => line !== ''),
        summary: summaryOf(await text('GITHUB_STEP_SUMMARY'), log, masker),
      };
    },
  };
}

function pairs(text: string, file: string, log: StepLog): Record<string, string> {
  const found: [string, string][] = [];
  try {
    for (const [name, value] of environmentPairs(text)) found.push([name, value]);
  } catch (error) {
    log.fail(`Unable to process file command '${file}' successfully.`);
    log.fail(error instanceof Error ? error.message : String(error));
  }
  return Object.fromEntries(found);
}

/**
 * Masks a summary. If the summary is too large, logs an error and returns an empty text. This error does not fail the
 * step.
 */
export function summaryOf(text: string, log: StepLog, masker: SecretMasker): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= LARGEST_SUMMARY_BYTES)
    return text
      .split('\n')
      .map((line) => masker.mask(line))
      .join('\n');
  const [most, got] = [LARGEST_SUMMARY_BYTES, bytes].map((size) => Math.floor(size / 1024));
  log.issue(
    'error',
    `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of ${most}k, got ${got}k.`,
  );
  return '';
}
