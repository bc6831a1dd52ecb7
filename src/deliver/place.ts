import { appendFileSync } from 'node:fs';
import type { NotScanned } from '../domain/result.ts';
import type { Seal } from '../domain/seal.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import type { GitHub } from '../github/octokit.ts';
import type { WholeReport } from '../report/report.ts';
import type { DeliveryInputs } from '../runner/inputs.ts';
import type { Log, Warn, Warnings } from '../runner/log.ts';
import { removeInside, type Text, writeInside } from '../runner/workspace-file.ts';

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
