import type { Clock } from '../clock.ts';
import { matchesPath, type PathPatterns } from '../domain/path-patterns.ts';
import type { NotScanned } from '../domain/result.ts';
import type { DiffBase, ScanTarget, TargetBase } from '../domain/target.ts';
import { causeOf } from '../github/errors.ts';
import { treesOnce } from '../github/git-tree.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import { withDeadline } from '../http/attempt.ts';
import { listed, quoted } from '../text/visible-text.ts';
import { type ChangedFile, changedFiles, hasOneMergeBase } from './changed-files.ts';

/** The inputs that decide which paths need no scan. */
export interface UnscannedPaths {
  readonly pathsUnscanned: PathPatterns;
  readonly guidanceFile: string | undefined;
}

export type PathsDecision =
  /** Every changed file is proven to match the patterns. */
  | { readonly kind: 'unscanned'; readonly failure: NotScanned }
  /** `why` is a sentence for the log. */
  | { readonly kind: 'scanned'; readonly why: string | undefined; readonly warnings: readonly string[] };

/** The most time that a run takes to decide by paths. Our choice. More time would delay the launch too much. */
const LONGEST_SEARCH_MS = 30_000;

const SCANNED: PathsDecision = { kind: 'scanned', why: undefined, warnings: [] };

/**
 * Decides whether the change needs a scan. It needs none if every changed file is a regular file that matches
 * `paths-unscanned`, and none is a file that is always scanned. In a pull request, the base branch must also have left
 * these files unchanged since the merge base, and there must be only one merge base. If anything is not known, the
 * change is scanned.
 */
export async function decideByPaths(
  { github, clock, signal }: GitHubAccess & { readonly clock: Clock },
  target: Pick<ScanTarget, 'event' | 'base'>,
  diffBase: DiffBase,
  inputs: UnscannedPaths,
): Promise<PathsDecision> {
  const { baseSha, headSha, how } = diffBase;
  if (inputs.pathsUnscanned.length === 0 || !EVENTS.has(target.event)) return SCANNED;
  if (baseSha === undefined || baseSha === headSha) return SCANNED;
  if (how === 'input') return scanned('the workflow sets the base');
  return withDeadline({ clock, signal, ms: LONGEST_SEARCH_MS }, (attempt) =>
    decideByFiles({ github, signal: attempt.signal }, target.base, { ...diffBase, baseSha }, inputs),
  );
}

async function decideByFiles(
  deps: GitHubAccess,
  base: TargetBase,
  diffBase: DiffBase & { readonly baseSha: string },
  inputs: UnscannedPaths,
): Promise<PathsDecision> {
  // The head of a merge group is already merged with its base, so the base branch cannot have moved a file.
  const tip = base.kind === 'branch' ? base.tip : diffBase.baseSha;
  if (tip === undefined) return scanned('the newest commit of the base branch is not known');
  const commits = { ...diffBase, tip };
  const paths: string[] = [];
  for await (const file of changedFiles(treesOnce(deps.github.until(deps.signal)), commits)) {
    if (!file.ok) {
      const { why, error } = file.error;
      return { ...scanned(why), warnings: error === undefined ? [] : [unread(causeOf(error))] };
    }
    const reason = reasonToScan(file.value, inputs);
    if (reason !== undefined) return scanned(reason);
    paths.push(file.value.path);
  }
  if (paths.length === 0) return SCANNED;
  if (!(await hasOneMergeBase(deps, commits))) return scanned('the change may have several merge bases');
  return { kind: 'unscanned', failure: notScanned(paths) };
}

/**
 * The events to which `paths-unscanned` applies. `push` is not among them. Each scan covers only its own push, so no
 * later scan would cover a push that was not scanned.
 */
const EVENTS: ReadonlySet<ScanTarget['event']> = new Set([
  'pull_request',
  'pull_request_target',
  'merge_group',
]);

/** Returns undefined if the file need not be scanned. */
function reasonToScan(
  { path, entries, moved }: ChangedFile,
  { pathsUnscanned, guidanceFile }: UnscannedPaths,
): string | undefined {
  const name = shown(path);
  if (isProtected(path, guidanceFile)) return `${name} is always scanned`;
  const special = entries.find(({ kind }) => kind !== 'file');
  if (special !== undefined) return `${name} is no regular file on both sides`;
  if (!matchesPath(pathsUnscanned, path)) return `${name} does not match`;
  return moved === undefined ? undefined : `${shown(moved)} has changed on the base branch`;
}

/**
 * True for workflows, actions, `.gitmodules` and the guidance file. They decide how code is built, checked or scanned.
 * Ignores case because some file systems do.
 */
function isProtected(path: string, guidanceFile: string | undefined): boolean {
  const name = path.toLowerCase();
  return ALWAYS_SCANNED.test(name) || name === guidanceFile?.toLowerCase();
}

const ALWAYS_SCANNED = /^\.github\/(?:workflows|actions)(?:\/|$)|(?:^|\/)(?:action\.ya?ml|\.gitmodules)$/;

function scanned(why: string): Extract<PathsDecision, { readonly kind: 'scanned' }> {
  return { kind: 'scanned', why: `\`paths-unscanned\` does not apply: ${why}.`, warnings: [] };
}

function unread(cause: string): string {
  return `Could not read which files changed, so \`paths-unscanned\` does not apply. ${cause}`;
}

function notScanned(paths: readonly string[]): NotScanned {
  const names = listed(paths.map(shown));
  return {
    reason: 'paths',
    cause:
      paths.length === 1
        ? `The only changed file matches \`paths-unscanned\`: ${names}.`
        : `All ${paths.length} changed files match \`paths-unscanned\`: ${names}.`,
    nextStep: 'Change the patterns of `paths-unscanned` in the workflow and push.',
  };
}

const LONGEST_NAME = 150;

function shown(path: string): string {
  return quoted(path, LONGEST_NAME);
}
