import type { NotScanned } from '../domain/not-scanned.ts';
import { fixOf, type GitHubError } from '../github/github-error.ts';

/**
 * Explains that GitHub refused a request because the setup is wrong. Undefined if a retry could succeed.
 * @param cause a sentence, which may hold foreign text
 */
export function accessRefused(error: GitHubError, cause: string): NotScanned | undefined {
  switch (error.kind) {
    case 'forbidden':
    case 'not-found':
      return {
        reason: 'configuration',
        cause,
        nextStep: `Add \`${error.permission}\` to the job's \`permissions\` and push. A re-run keeps the old permissions. If the workflow sets \`github-token\`, that token needs the permission instead.`,
      };
    case 'unauthorized':
      return { reason: 'configuration', cause, nextStep: fixOf(error) };
    default:
      return undefined;
  }
}
