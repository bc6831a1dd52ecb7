import { appendFileSync, constants } from 'node:fs';
import { lstat, mkdir, open, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { NotScanned } from '../domain/result.ts';
import type { Seal } from '../domain/seal.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import type { GitHub } from '../github/octokit.ts';
import type { WholeReport } from '../report/report.ts';
import type { DeliveryInputs } from '../runner/inputs.ts';
import type { Log, Warn, Warnings } from '../runner/log.ts';
import { inChunks } from '../text/log-text.ts';

/** The dependencies of all outputs of the report. */
export interface Delivery {
  readonly github: GitHub;
  /** Aborts later than the signal that stops the scan, so that a stopped run can still deliver its report. */
  readonly signal: AbortSignal;
  readonly environment: GitHubEnvironment;
  readonly inputs: DeliveryInputs;
  readonly seal: Seal;
  readonly workspace: string;
  readonly log: Log;
  /** The warnings of all outputs. Each output shows the warnings of the outputs before it. */
  readonly warnings: Warnings;
  /** Adds markdown to the job summary. Rejects if that fails. */
  readonly writeSummary: (markdown: string) => Promise<void>;
}

/**
 * Delivers the report to one output. If `send` throws, warns and returns undefined, because an output never changes the
 * verdict.
 */
export async function attempt<T>(what: string, warn: Warn, send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    warn(`Could not write the ${what}: ${messageOf(error)}. The result is not affected.`);
    return undefined;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/[.\s]+$/, '') : 'unexpected error';
}

/** Adds markdown to the job summary. Throws if the runner's file is missing or cannot be written. */
export async function writeJobSummary(markdown: string): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (!file) throw new Error('the runner names no file for it in GITHUB_STEP_SUMMARY');
  appendFileSync(file, markdown);
}

/**
 * Writes a rendering of the report to a file, if the inputs name one. Returns its path. Throws like `writeInside`.
 * @param file absolute path
 */
export async function deliverFile(
  workspace: string,
  file: string | undefined,
  report: WholeReport,
  render: (report: WholeReport) => Text,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  await writeInside(workspace, file, render(report));
  return file;
}

/**
 * Removes the SARIF file that an earlier run may have left. If this run writes none, a later step would upload the
 * results of another commit.
 * @param file absolute path; undefined if the inputs name no file
 * @returns an error if the file may still be there
 */
export async function removeEarlierSarif(
  workspace: string,
  file: string | undefined,
): Promise<NotScanned | undefined> {
  if (file === undefined) return undefined;
  try {
    await removeInside(workspace, file);
    return undefined;
  } catch (error) {
    return {
      reason: 'configuration',
      cause: `Could not remove the file at the path of \`sarif-file\`: ${messageOf(error)}.`,
      nextStep:
        'Set `sarif-file` to a path inside the workspace at which there is no folder, and which the job may write.',
    };
  }
}

/** A text in one string or in several. */
type Text = string | Iterable<string>;

/**
 * Writes a file inside the workspace, and creates its folders. Throws if the resolved path is outside of the workspace,
 * or if the file is a symbolic link. A pull request can contain symbolic links that lead anywhere.
 * @param file an absolute path
 */
export async function writeInside(workspace: string, file: string, text: Text): Promise<void> {
  const root = await realpath(workspace);
  let folder = root;
  const steps = path
    .relative(path.resolve(workspace), path.dirname(file))
    .split(path.sep)
    .filter((step) => step !== '');
  for (const step of steps) {
    const next = path.join(folder, step);
    await mkdir(next).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
    folder = await realpath(next);
    refuseOutside(root, folder);
  }
  const place = path.join(folder, path.basename(file));
  // Windows has no O_NOFOLLOW. On other systems, O_NOFOLLOW also refuses a link that is created after this check.
  const there = await lstat(place).catch(() => undefined);
  if (there?.isSymbolicLink()) throw new Error('the file is a symbolic link');
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(place, flags, 0o644);
  try {
    await handle.writeFile(typeof text === 'string' ? text : inChunks(text));
  } finally {
    await handle.close();
  }
}

/**
 * Removes a file inside the workspace, if there is one. A symbolic link is removed itself, and not followed. Throws if
 * the real folder of the file is outside of the workspace, or if the file cannot be removed.
 * @param file an absolute path
 */
export async function removeInside(workspace: string, file: string): Promise<void> {
  try {
    const folder = await realpath(path.dirname(file));
    refuseOutside(await realpath(workspace), folder);
    await unlink(path.join(folder, path.basename(file)));
  } catch (error) {
    // The file or its folder does not exist, or a file has the name of the folder.
    const isMissing = error instanceof Error && 'code' in error && MISSING.has(error.code);
    if (!isMissing) throw error;
  }
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** Both paths are real paths. */
function refuseOutside(root: string, folder: string): void {
  if (folder !== root && !folder.startsWith(root + path.sep))
    throw new Error('the folder leads out of the workspace');
}
