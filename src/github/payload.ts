import { readFileSync } from 'node:fs';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';

/**
 * Reads the event's payload from the runner's file. Only parses the JSON: `readTarget` and other functions validate it.
 */
export function readPayload(eventPath: string): Result<unknown, NotScanned> {
  try {
    const payload: unknown = JSON.parse(readFileSync(eventPath, 'utf8'));
    return ok(payload);
  } catch (error) {
    return err({
      reason: 'configuration',
      cause: `Could not read the event payload at \`GITHUB_EVENT_PATH\`: ${error instanceof SyntaxError ? 'it is not JSON' : 'the file cannot be opened'}.`,
      nextStep: 'Re-run the workflow. Do not override `GITHUB_EVENT_PATH`.',
    });
  }
}
