import * as v from 'valibot';
import type { NotScanned } from '../domain/not-scanned.ts';
import { ok, type Result } from '../domain/result.ts';
import { malformed } from './event-payload.ts';
import { Timestamp } from './timestamp.ts';

/** Who wrote a comment, as the event shows it. */
export interface CommentAuthor {
  readonly login: string;
  /** Stays the same where the login changes. */
  readonly id: number;
  /** `User`, `Bot` or another word. */
  readonly type: string;
}

/** The comment of an `issue_comment` event. Its text is foreign. */
export interface IssueComment {
  readonly action: string;
  /** Undefined: the comment is on an issue. */
  readonly pullRequest: number | undefined;
  readonly id: number;
  readonly body: string;
  /** Undefined: the account is gone. */
  readonly author: CommentAuthor | undefined;
  /** Whose action started the event; undefined where GitHub does not say. */
  readonly senderId: number | undefined;
  /** An app wrote it in the name of a user. */
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

/** Reads the payload; one that is not what GitHub documents is a `configuration` stop. */
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
