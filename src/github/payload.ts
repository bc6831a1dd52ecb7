import { readFile } from 'node:fs/promises';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';

/** Reads the event's payload from the runner's file. Not parsed further: see `readTarget`. */
export async function readPayload(eventPath: string): Promise<Result<unknown, NotScanned>> {
  try {
    const payload: unknown = JSON.parse(await readFile(eventPath, 'utf8'));
    return ok(payload);
  } catch (error) {
    return err({
      reason: 'configuration',
      cause: `The event's payload cannot be read from GITHUB_EVENT_PATH: ${error instanceof SyntaxError ? 'it is not JSON' : 'the file cannot be opened'}.`,
      nextStep: 'Run the workflow again; do not overwrite GITHUB_EVENT_PATH.',
    });
  }
}
