import * as core from '@actions/core';
import * as v from 'valibot';

/** What `post` needs to end what `main` could not. Holds no token: `post` reads it from its input. */
const SavedRun = v.object({
  projectId: v.string(),
  scanId: v.string(),
  headSha: v.string(),
  /** True: the scan is over, only its check run is not. */
  scanEnded: v.optional(v.boolean()),
  /** The check run that is still in progress. */
  checkRunId: v.optional(v.number()),
  /** The verdict that could not be written into it; left out: there was none yet. */
  verdict: v.optional(
    v.object({ conclusion: v.picklist(['success', 'neutral', 'failure']), title: v.string() }),
  ),
});
export type SavedRun = v.InferOutput<typeof SavedRun>;

const NAME = 'running-scan';

/** Saved at once when a scan was launched, so that a killed job leaves its id behind. */
export function saveRun(run: SavedRun): void {
  core.saveState(NAME, JSON.stringify(run));
}

/** The scan is terminal or cancelled, and everything is delivered: nothing is left for `post`. */
export function clearRun(): void {
  core.saveState(NAME, '');
}

/** Undefined when `main` left nothing behind, or something unreadable. */
export function savedRun(): SavedRun | undefined {
  const text = core.getState(NAME);
  if (text === '') return undefined;
  try {
    const parsed = v.safeParse(SavedRun, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
