import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../faults/interception.ts';
import { NOT_FOUND, refuse } from './answer.ts';

export type Grant = 'write' | 'read' | 'none';

/** The workflow's `permissions:`; a member that is left out is `none`, as on GitHub. */
export interface Permissions {
  checks?: Grant;
  'pull-requests'?: Grant;
  contents?: Grant;
  issues?: Grant;
}

/** What a route asks for: any one of the permissions. `metadata` is granted to every workflow token. */
export interface Need {
  readonly anyOf: readonly (keyof Permissions | 'metadata')[];
  readonly access: 'read' | 'write';
  /** "Can be used without the permissions if only public resources are requested", in the words of GitHub's reference. */
  readonly publicReadable: boolean;
}

export type Caller = 'token' | 'stranger' | 'nobody';

/** Reads `Bearer`, `token` and `Basic` (any user name, the token as the password) authorization. */
export function callerOf(headers: IncomingHttpHeaders, token: string): Caller {
  const authorization = headers.authorization;
  if (authorization === undefined) return 'nobody';
  const [, scheme = '', value = ''] = /^(\S+)\s+(.*)$/.exec(authorization) ?? [];
  const given = scheme.toLowerCase() === 'basic' ? passwordOf(value) : value;
  return given === token ? 'token' : 'stranger';
}

function passwordOf(basic: string): string {
  const decoded = Buffer.from(basic, 'base64').toString('utf8');
  return decoded.slice(decoded.indexOf(':') + 1);
}

/** The refusal that GitHub answers, or undefined where the caller may go on. */
export function refusalFor(
  caller: Caller,
  need: Need,
  permissions: Permissions,
  isPublic: boolean,
): Answer | undefined {
  if (caller === 'stranger') return refuse(401, 'Bad credentials');
  const openToAll = isPublic && need.access === 'read' && need.publicReadable;
  if (openToAll) return undefined;
  if (caller === 'nobody') return isPublic ? refuse(401, 'Requires authentication') : NOT_FOUND;
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
