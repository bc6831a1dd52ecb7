import * as v from 'valibot';
import { sideOfPush } from '../../../src/change/diff-base.ts';
import { refusePayment, refuseTarget } from '../../../src/change/fork-policy.ts';
import { readGuidanceFile } from '../../../src/change/guidance-file.ts';
import { closed } from '../../../src/change/superseded.ts';
import { decideByPaths } from '../../../src/change/unscanned-paths.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { err, type NotScanned, ok } from '../../../src/domain/result.ts';
import type { PendingLaunch } from '../../../src/domain/scan.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import type { LostLaunch } from '../../../src/scan/lost-launch.ts';
import { describeLost, launchUnknown } from '../../../src/scan/lost-launch.ts';
import { marksUnlisted } from '../../../src/scan/marks.ts';
import { judgeEnded } from '../../../src/scan/wait.ts';
import type { ApiError, Operation } from '../../../src/scan-api/api-error.ts';
import { explainApiError } from '../../../src/scan-api/explain-error.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { githubClient } from '../../support/github-client.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { gitHubError } from '../github/samples.ts';
import * as fake from '../scan/fake-api.ts';
import { aScan } from '../scan/fake-api.ts';
import { BASE, HEAD, samplePush, sampleTarget } from './sample-report.ts';

// Code in `src` writes the texts of these failures, so that no sample differs from a real text.

/** A GitHub on which no user has write permission. */
const STRANGER_TO_ALL = githubClient(async ({ operation, permission }) =>
  err(gitHubError('not-found', { operation, permission, status: 404 })),
);

const idOf = (digit: string) => digit.repeat(40);

/** A GitHub that shows these folders: names with the digit of their id. The folders have the digits 8 and 9. */
function foldersOnGitHub(folders: Readonly<Record<string, readonly string[]>>) {
  return githubClient(async ({ parameters, answer }) => {
    const { tree_sha: id } = v.parse(v.object({ tree_sha: v.string() }), parameters);
    const tree = (folders[id] ?? []).map((entry) => {
      const [path, digit = ''] = entry.split(' ');
      return { path, mode: /[89]/.test(digit) ? '040000' : '100644', sha: idOf(digit), size: 3 };
    });
    return ok({ data: v.parse(answer, { tree, truncated: false }), hasNextPage: false });
  });
}

/** Explains a refusal by the service. */
export function refused(operation: Operation, status: number, code: string): NotScanned {
  return explainApiError(fake.refused(status, code, { operation }).error);
}

/** Explains why a pull request is refused. Throws if it is accepted. */
export async function refusedTarget(
  event: ScanTarget['event'],
  { secretsWithheld = false, ...pullRequest }: Partial<TargetPullRequest> & { secretsWithheld?: boolean },
  hasToken: boolean,
): Promise<NotScanned> {
  const target = sampleTarget({ event, secretsWithheld, pullRequest });
  const failure =
    refuseTarget(target, { hasToken, scanForks: 'trusted' }) ??
    (await refusePayment(
      { github: STRANGER_TO_ALL, signal: NEVER_ABORTED },
      target,
      pullRequest.author ?? '',
    ));
  if (failure === undefined) throw new Error('the change is admitted');
  return failure;
}

/** Explains a push whose base cannot be found. */
export async function pushWithoutBase(): Promise<NotScanned> {
  const { base } = samplePush({ before: undefined, branch: 'main' });
  if (base.kind !== 'push') throw new Error('this is no push');
  const side = await sideOfPush({ github: STRANGER_TO_ALL, signal: NEVER_ABORTED }, base);
  if (side.ok) throw new Error('the push has a base');
  return side.error;
}

export function closedPullRequest(): NotScanned {
  return closed(128);
}

/** Explains that GitHub did not list the check runs on the head. */
export function unreadMarks(): NotScanned {
  return marksUnlisted(gitHubError('unreachable', { operation: 'list the check runs', status: 502 }));
}

/** Explains a launch that got no answer, and how the search for its scan ended. */
export function lostLaunch(search: LostLaunch, pending: Partial<PendingLaunch> = {}): NotScanned {
  const lost = describeLost({
    ...fake.unreachable('unknown', 'reset').error,
    detail: 'ECONNRESET',
  } as ApiError);
  return launchUnknown(lost, { projectId: 'prj_1', headSha: HEAD, ...pending }, search, false);
}

/** Explains a launch that got no answer. Its scan was found and cancelled. */
export function cancelledLaunch(): NotScanned {
  return lostLaunch({ kind: 'found', scanId: 'scn_01HZX5M3', cancellation: { kind: 'cancelled' } });
}

export async function failedScan(): Promise<NotScanned> {
  const scan = aScan('FAILED', { id: 'scn_01HZX5M3' });
  const ended = await judgeEnded(scan, 'FAILED', { expected: { baseSha: BASE, headSha: HEAD } });
  if (ended.kind === 'completed') throw new Error('a failed scan counts as completed');
  return ended.failure;
}

/** Explains that the base branch has no guidance file. */
export async function missingGuidance(): Promise<NotScanned> {
  const github = foldersOnGitHub({ [BASE]: ['README.md 1'] });
  const deps = { github, signal: NEVER_ABORTED };
  const read = await readGuidanceFile(deps, '.github/security-guidance.md', BASE);
  if (read.ok) throw new Error('there is a guidance file');
  return read.error;
}

/** Explains a change of three documents that `paths-unscanned` matches. */
export async function onlyDocuments(): Promise<NotScanned> {
  const github = foldersOnGitHub({
    [BASE]: ['README.md 1', 'docs 8'],
    [idOf('8')]: ['old.md 2'],
    [HEAD]: ['README.md 3', 'docs 9'],
    [idOf('9')]: ['new.md 2'],
  });
  const decision = await decideByPaths(
    { github, clock: new FakeClock(), signal: NEVER_ABORTED },
    { event: 'pull_request', base: { kind: 'branch', name: 'main', tip: BASE } },
    { baseSha: BASE, headSha: HEAD, how: 'compare' },
    { pathsUnscanned: readPathPatterns('docs/**\n*.md').patterns, guidanceFile: undefined },
  );
  if (decision.kind !== 'unscanned') throw new Error('the change is scanned');
  return decision.failure;
}
