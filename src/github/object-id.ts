import * as v from 'valibot';
import { isCommitId } from '../domain/target.ts';

/** The full id of a commit in an answer or a payload. */
export const CommitId = v.pipe(v.string(), v.check(isCommitId, 'not a full commit id'));

/** The full id of a tree or a file. It has the form of a commit id. */
export const ObjectId = CommitId;
