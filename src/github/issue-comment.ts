import * as v from 'valibot';
import type { NotScanned } from '../domain/not-scanned.ts';
import { ok, type Result } from '../domain/result.ts';
import { malformed } from './event-payload.ts';
import { Timestamp } from './timestamp.ts';

/** The author of a comment, from the event. */
export interface CommentAuthor {
  readonly login: string;
  /** The id of the account. It stays the same if the user changes the login. */
  readonly id: number;
  /** `User`, `Bot` or another type of account on GitHub. */
  readonly type: string;
}

/** The comment of an `issue_comment` event. Its text is foreign text. */
export interface IssueComment {
  readonly action: string;
  /** Undefined if the comment is on an issue. */
  readonly pullRequest: number | undefined;
  readonly id: number;
  readonly body: string;
  /** Undefined if the account was deleted. */
  readonly author: CommentAuthor | undefined;
  /** The user or app that caused the event; undefined if GitHub does not show it. */
  readonly senderId: number | undefined;
  /** True if an app wrote the comment in the name of a user. */
  readonly byApp: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Payload = v.object({
  action: v.string(),
  issue: v.object({ number: Id, pull_request: v.nullish(v.unknown()) }),
  comment: v.object({
    id: Id,
    body: v.nullish(v.string(), ''),
    user: v.nullish(v.object({ login: v.string(), id: Id, type: v.string() })),
    created_at: Timestamp,
    updated_at: Timestamp,
    performed_via_github_app: v.nullish(v.unknown()),
  }),
  sender: v.nullish(v.object({ id: Id })),
});

/** Reads the payload. The error is `configuration` if the payload does not match GitHub's documentation. */
export function readIssueComment(payload: unknown): Result<IssueComment, NotScanned> {
  const parsed = v.safeParse(Payload, payload);
  if (!parsed.success) return malformed('issue_comment', parsed.issues);
  const { action, issue, comment, sender } = parsed.output;
  return ok({
    action,
    pullRequest: issue.pull_request == null ? undefined : issue.number,
    id: comment.id,
    body: comment.body,
    author: comment.user ?? undefined,
    senderId: sender?.id,
    byApp: comment.performed_via_github_app != null,
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
  });
}
