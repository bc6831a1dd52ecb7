import * as core from '@actions/core';

/** Adds to the page of the workflow run. Throws where the runner's file is not there or cannot be written. */
export async function writeJobSummary(markdown: string): Promise<void> {
  await core.summary.addRaw(markdown, true).write();
}
