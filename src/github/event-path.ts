/**
 * `@actions/github` parses the event's payload on import. If the payload is not JSON, the import throws an error at a
 * time when secret inputs are not masked yet.
 *
 * Import this file before that package. This file hides the path of the payload. `readPayload` reads the payload
 * instead.
 */
const { GITHUB_EVENT_PATH: eventPath } = process.env;
delete process.env['GITHUB_EVENT_PATH'];

/** Restores the path of the payload. Call this after the package is imported. */
export function restoreEventPath(): void {
  if (eventPath !== undefined) process.env['GITHUB_EVENT_PATH'] = eventPath;
}
