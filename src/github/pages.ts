import type * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './errors.ts';
import type { GitHubClient, GitHubRequest } from './octokit.ts';

/** GitHub's largest page. Each smaller size divides the one before, so the pages begin at the same items. */
const LARGEST_PAGE = 100;
const SMALLER = 10;

/** The items of a list. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** False if the list has more items than were read. */
  readonly complete: boolean;
}

/**
 * Reads a list of GitHub in pages of 100. If an answer is too large, reads the rest in pages of 10, then of 1.
 * @param request without the parameters of the page
 * @param most how many items are read at least; a multiple of 100
 */
export async function readPages<S extends v.GenericSchema, Item>(
  github: GitHubClient,
  request: GitHubRequest<S>,
  most: number,
  itemsOf: (data: v.InferOutput<S>) => readonly Item[],
): Promise<Result<Listed<Item>, GitHubError>> {
  const items: Item[] = [];
  let size = LARGEST_PAGE;
  for (let read = 0; read < most; read += size) {
    const ask = () => {
      const parameters = { ...request.parameters, per_page: size, page: read / size + 1 };
      return github.ask({ ...request, parameters });
    };
    let answer = await ask();
    while (!answer.ok && answer.error.kind === 'too-large' && size > 1) {
      size /= SMALLER;
      answer = await ask();
    }
    if (!answer.ok) return err(answer.error);
    items.push(...itemsOf(answer.value.data));
    if (!answer.value.hasNextPage) return ok({ items, complete: true });
  }
  return ok({ items, complete: false });
}
