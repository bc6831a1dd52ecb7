import * as v from 'valibot';
import { isCommitId } from '../domain/target.ts';

/** The id or the number that GitHub gives to an account, a comment, a pull request or a run. */
export const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** The full id of a commit in an answer or a payload. */
export const CommitId = v.pipe(v.string(), v.check(isCommitId, 'not a full commit id'));

/** The full id of a tree or a file. It has the form of a commit id. */
export const ObjectId = CommitId;

/** The full id in an object such as `{ "sha": "…" }`. */
export const ShaOf = v.pipe(
  v.object({ sha: CommitId }),
  v.transform(({ sha }) => sha),
);

/** A time in GitHub's format, such as `2026-01-15T12:00:00Z`. */
export const Timestamp = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
  v.check((date) => !Number.isNaN(date.getTime()), 'not a time'),
);

/** The address of a page in an answer from GitHub. Undefined if it is neither http nor https. */
export const WebAddress = v.pipe(
  v.nullish(v.string()),
  v.transform((value) => {
    const url = value == null ? null : URL.parse(value);
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
  }),
);

/** The bytes of a file. */
export const Content = v.pipe(
  v.object({ encoding: v.literal('base64'), content: v.string() }),
  v.transform(({ content }) => Buffer.from(content, 'base64')),
);
