import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../faults/interception.ts';
import { NOT_FOUND, refuse } from './answer.ts';

export type Grant = 'write' | 'read' | 'none';

/** The `permissions:` of the workflow. A missing permission is `none`, as on GitHub. */
export interface Permissions {
  checks?: Grant;
  'pull-requests'?: Grant;
  contents?: Grant;
  issues?: Grant;
  actions?: Grant;
}

/** The permissions that a route accepts. One of them is enough. Every workflow token has `metadata`. */
export interface Need {
  readonly anyOf: readonly (keyof Permissions | 'metadata')[];
  readonly access: 'read' | 'write';
  /** True if GitHub's reference says: "Can be used without the permissions if only public resources are requested". */
  readonly publicReadable: boolean;
}

export const read = (...anyOf: Need['anyOf']): Need => ({ anyOf, access: 'read', publicReadable: true });
export const write = (...anyOf: Need['anyOf']): Need => ({ anyOf, access: 'write', publicReadable: false });

export type Caller = 'token' | 'unknown-token' | 'anonymous';

/**
 * Says whether a request has the workflow token, a different token or no token. The scheme can be `Bearer`, `token` or
 * `Basic`. In `Basic`, the token is the password, and the user name is ignored.
 */
export function callerOf(headers: IncomingHttpHeaders, token: string): Caller {
  const authorization = headers.authorization;
  if (authorization === undefined) return 'anonymous';
  const [, scheme = '', value = ''] = /^(\S+)\s+(.*)$/.exec(authorization) ?? [];
  const given = scheme.toLowerCase() === 'basic' ? passwordOf(value) : value;
  return given === token ? 'token' : 'unknown-token';
}

function passwordOf(basic: string): string {
  const decoded = Buffer.from(basic, 'base64').toString('utf8');
  return decoded.slice(decoded.indexOf(':') + 1);
}

/** Returns GitHub's refusal. Undefined if the caller has access. */
export function refusalFor(
  caller: Caller,
  need: Need,
  permissions: Permissions,
  isPublic: boolean,
): Answer | undefined {
  if (caller === 'unknown-token') return refuse(401, 'Bad credentials');
  const openToAll = isPublic && need.access === 'read' && need.publicReadable;
  if (openToAll) return undefined;
  if (caller === 'anonymous') return isPublic ? refuse(401, 'Requires authentication') : NOT_FOUND;
  if (need.anyOf.some((name) => suffices(name, need.access, permissions))) return undefined;
  return {
    ...refuse(403, 'Resource not accessible by integration'),
    headers: {
      'x-accepted-github-permissions': need.anyOf
        .map((name) => `${name.replace('-', '_')}=${need.access}`)
        .join('; '),
    },
  };
}

function suffices(
  name: keyof Permissions | 'metadata',
  access: Need['access'],
  permissions: Permissions,
): boolean {
  const grant = name === 'metadata' ? 'read' : (permissions[name] ?? 'none');
  return grant === 'write' || (grant === 'read' && access === 'read');
}
