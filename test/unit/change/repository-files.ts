import * as v from 'valibot';
import { err, ok } from '../../../src/domain/result.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
import { githubClient } from '../../support/github-client.ts';

/** A folder of a repository in memory. */
export interface Folder {
  readonly [name: string]: string | Uint8Array | Folder | { readonly mode: string };
}

const Asked = v.object({ tree_sha: v.optional(v.string()), file_sha: v.optional(v.string()) });

/** Makes a client of a GitHub that has these commits. `fail` makes a request fail. */
export function filesOnGitHub(commits: Readonly<Record<string, Folder>>) {
  const trees = new Map<string, unknown>();
  const blobs = new Map<string, unknown>();
  const asked: string[] = [];
  let failure: { readonly at: number; readonly error: Partial<GitHubError> } | undefined;
  // Ids depend on the content, so that equal folders have equal ids.
  const ids = new Map<string, string>();
  const idOf = (content: string) => {
    const known = ids.get(content) ?? (ids.size + 1).toString(16).padStart(40, '0');
    ids.set(content, known);
    return known;
  };
  const add = (folder: Folder): { readonly sha: string; readonly mode: string } => {
    const tree = Object.entries(folder).map(([path, entry]) => {
      if (typeof entry === 'string' || entry instanceof Uint8Array) {
        const bytes = Buffer.from(entry);
        const sha = idOf(`blob ${bytes.toString('hex')}`);
        blobs.set(sha, { encoding: 'base64', content: bytes.toString('base64') });
        return { path, mode: '100644', sha, size: bytes.length };
      }
      return 'mode' in entry && typeof entry.mode === 'string'
        ? { path, mode: entry.mode, sha: idOf(`link ${path}`) }
        : { path, ...add(asFolder(entry)) };
    });
    const sha = idOf(`tree ${JSON.stringify(tree)}`);
    trees.set(sha, { tree, truncated: false });
    return { sha, mode: '040000' };
  };
  for (const [commit, folder] of Object.entries(commits)) trees.set(commit, trees.get(add(folder).sha));
  const github = githubClient(async ({ operation, permission, parameters, answer }) => {
    const { tree_sha: tree = '', file_sha: blob = '' } = v.parse(Asked, parameters);
    asked.push(tree || blob);
    const error = (kind: GitHubError['kind']): GitHubError => {
      const message = kind === 'forbidden' ? 'Resource not accessible by integration' : '';
      return { kind, operation, permission, status: 404, message, ambiguous: false };
    };
    if (failure?.at === asked.length) {
      return err({ ...error(failure.error.kind ?? 'unreachable'), ...failure.error });
    }
    const found = trees.get(tree) ?? blobs.get(blob);
    if (found === undefined) return err(error('not-found'));
    const parsed = v.safeParse(answer, found);
    return parsed.success ? ok({ data: parsed.output, hasNextPage: false }) : err(error('invalid'));
  });
  return {
    github,
    asked,
    /**
     * Lets a request fail.
     * @param at the number of the request, counted from 1
     */
    fail(at: number, error: Partial<GitHubError> = {}) {
      failure = { at, error };
    },
    /** Replaces the answer about a folder. */
    setTree: (sha: string, answer: unknown) => void trees.set(sha, answer),
  };
}

function asFolder(entry: Folder | { readonly mode: string }): Folder {
  return entry as Folder;
}
