import type { GitHubEnvironment } from '../github/environment.ts';
import type { GitHubClient } from '../github/octokit.ts';
import type { Inputs } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';

/** What the places of the report need. */
export interface DeliveryDeps {
  readonly github: GitHubClient;
  /** Ends later than the work, so that a stopped run still reports what happened. */
  readonly signal: AbortSignal;
  readonly environment: Pick<GitHubEnvironment, 'runId' | 'runAttempt'>;
  readonly inputs: Inputs;
  readonly workspace: string;
  readonly log: Log;
  /** Adds markdown to the page of the workflow run; rejects where that cannot be done. */
  readonly writeSummary: (markdown: string) => Promise<void>;
}

/** A warning in the log, which the places that come later show too. */
export type Notice = (sentence: string) => void;

/** Hands the report to one place. What throws becomes a notice and undefined: a place never judges. */
export async function attempt<T>(
  what: string,
  notice: Notice,
  send: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/[.\s]+$/, '') : 'unexpected error';
    notice(`Could not write the ${what}: ${why}. The result is not affected.`);
    return undefined;
  }
}
