/**
 * `@actions/github` parses the event's payload while it is loaded, and throws where that is not JSON: before any input
 * is masked. Import this file ahead of it. The payload is read by `readPayload` instead.
 */
const { GITHUB_EVENT_PATH: eventPath } = process.env;
delete process.env['GITHUB_EVENT_PATH'];

/** To be called when the package is loaded. */
export function restoreEventPath(): void {
  if (eventPath !== undefined) process.env['GITHUB_EVENT_PATH'] = eventPath;
}
