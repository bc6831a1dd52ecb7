import { appendFileSync } from 'node:fs';

/** Adds markdown to the job summary. Throws if the runner's file is missing or cannot be written. */
export async function writeJobSummary(markdown: string): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (!file) throw new Error('the runner names no file for it in GITHUB_STEP_SUMMARY');
  appendFileSync(file, markdown);
}
