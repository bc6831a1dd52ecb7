import { describe, expect, test } from 'vitest';
import { fixOf } from '../../../src/github/github-error.ts';

describe('fixOf, if GitHub denies access', () => {
  test.each(['checks: write', 'pull-requests: write'] as const)(
    'for the permission `%s`, fixOf mentions that forks get a read-only token',
    (permission) => {
      expect(fixOf({ kind: 'forbidden', permission })).toBe(
        `On \`pull_request\`, GitHub gives forks a read-only token. In all other cases, add \`${permission}\` to the job's \`permissions\` and push.`,
      );
    },
  );

  test.each(['contents: read', 'metadata: read', 'pull-requests: read'] as const)(
    'for the permission `%s`, fixOf does not mention forks',
    (permission) => {
      expect(fixOf({ kind: 'forbidden', permission })).toBe(
        `Add \`${permission}\` to the job's \`permissions\` and push.`,
      );
    },
  );
});
