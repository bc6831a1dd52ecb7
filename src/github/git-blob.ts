import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

const BlobAnswer = v.object({ encoding: v.literal('base64'), content: v.string() });

/** Reads the bytes of a file. The id comes from a tree. */
export async function readBlob(
  github: GitHubClient,
  sha: string,
  signal: AbortSignal,
): Promise<Result<Buffer, GitHubError>> {
  const answer = await github.ask({
    operation: 'read a file of the repository',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
    parameters: { file_sha: sha },
    answer: BlobAnswer,
    signal,
  });
  return answer.ok ? ok(Buffer.from(answer.value.data.content, 'base64')) : answer;
}
