import { expect, test } from 'vitest';
import { explainGitHubError, fixOf, type GitHubError } from '../../../src/github/errors.ts';

const KINDS: readonly GitHubError['kind'][] = [
  ...(['forbidden', 'not-found', 'unauthorized', 'rate-limited', 'refused', 'invalid'] as const),
  ...(['too-large', 'unreachable', 'stopped'] as const),
];
const PERMISSIONS: readonly GitHubError['permission'][] = [
  ...(['checks: write', 'pull-requests: write', 'contents: read', 'metadata: read'] as const),
  'pull-requests: read',
];
const DENIALS = [
  'Resource not accessible by personal access token',
  'Unable to create comment because issue is locked.',
  'Commenting is disabled on issues with more than 2500 comments',
  'the `acme` organization has an IP allow list enabled, and your IP address is not permitted',
  'Resource protected by organization SAML enforcement.',
  'Must have push access to view collaborator permission.',
  'This workflow is already running',
];

test('each error of GitHub names the operation, the cause and the fix', async () => {
  const error = { operation: 'create the check run', status: 502, ambiguous: true, message: '' } as const;
  const denied = { ...error, kind: 'forbidden', status: 403 } as const;
  const message = 'Resource not accessible by integration';
  const errors: readonly GitHubError[] = [
    ...KINDS.map((kind) => ({ ...error, kind, permission: 'contents: read' }) as const),
    ...PERMISSIONS.map((permission) => ({ ...denied, permission, message })),
    ...DENIALS.map((message) => ({ ...denied, permission: 'contents: read', message }) as const),
  ];
  const lines = errors.map((error) => `${error.kind}, ${error.permission}: ${explainGitHubError(error)}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/errors.txt');
  for (const error of errors) expect(explainGitHubError(error)).toContain(fixOf(error));
});
