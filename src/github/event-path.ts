/**
 * `@actions/github` parses the event's payload on import, and throws if it is not JSON. At that time no input is masked
 * yet. Import this file before the package. `readPayload` reads the payload instead.
 */
const { GITHUB_EVENT_PATH: eventPath } = process.env;
delete process.env['GITHUB_EVENT_PATH'];

/** Call this after the package is imported. */
export function restoreEventPath(): void {
  if (eventPath !== undefined) process.env['GITHUB_EVENT_PATH'] = eventPath;
}
