import type { Seal } from '../domain/seal.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import type { GitHubClient } from '../github/octokit.ts';
import type { DeliveryInputs } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';
import type { Warn, Warnings } from '../runner/step.ts';

/** The dependencies of all outputs of the report. */
export interface DeliveryDeps {
  readonly github: GitHubClient;
  /** Aborts later than the signal that stops the scan, so that a stopped run can still deliver its report. */
  readonly signal: AbortSignal;
  readonly environment: Pick<GitHubEnvironment, 'runId' | 'runAttempt'>;
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
    const why = error instanceof Error ? error.message.replace(/[.\s]+$/, '') : 'unexpected error';
    warn(`Could not write the ${what}: ${why}. The result is not affected.`);
    return undefined;
  }
}
