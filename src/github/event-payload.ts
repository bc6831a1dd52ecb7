import * as v from 'valibot';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, type Result } from '../domain/result.ts';
import type { TargetRepository } from '../domain/target.ts';
import type { GitHubEnvironment } from './environment.ts';

const SUPPORTED =
  '`pull_request`, `pull_request_target`, `merge_group`, `push`, `schedule` or `workflow_dispatch`';
export const DEPENDABOT = 'dependabot[bot]';

export const Repository = v.object({
  full_name: v.string(),
  visibility: v.optional(v.string()),
  private: v.optional(v.boolean()),
});

type Visibility = Pick<v.InferOutput<typeof Repository>, 'visibility' | 'private'>;

export function targetRepository(environment: GitHubEnvironment, shown: Visibility): TargetRepository {
  return { owner: environment.owner, name: environment.repo, isPublic: isPublic(shown) };
}

/** True if the repository is public, or if the payload does not show that it is private. */
export function isPublicRepository(payload: unknown): boolean {
  const parsed = v.safeParse(v.object({ repository: Repository }), payload);
  return !parsed.success || isPublic(parsed.output.repository);
}

function isPublic({ visibility, private: isPrivate }: Visibility): boolean {
  return visibility === undefined ? isPrivate !== true : visibility === 'public';
}

/** @param why a sentence without its full stop */
export function unsupportedEvent(why: string): NotScanned {
  return {
    reason: 'unsupported-event',
    cause: `${why}.`,
    nextStep: `Run this workflow on ${SUPPORTED}.`,
  };
}

export function malformed(
  event: string,
  issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]],
): Result<never, NotScanned> {
  const path = v.getDotPath(issues[0]) ?? 'the payload';
  return err({
    reason: 'configuration',
    cause: `The payload of the \`${event}\` event is not as documented: \`${path}\` is missing or malformed.`,
    nextStep: 'Re-run the workflow. Do not override `GITHUB_EVENT_PATH` or `GITHUB_EVENT_NAME`.',
  });
}
