import type { TokenOptions } from '../scan-service/options.ts';
import { ALL_SCOPES } from '../scan-service/records.ts';

/** The syntax of a token on the command line, for messages. */
export const TOKEN_FORM =
  'a list with semicolons of scopes=read,scans:launch, expires=2020-01-01, spend-limit=5 and allowlist=owner/name';

/** Parses a token on the command line. Undefined if a member is unknown or invalid, or is there twice. */
export function readTokenSpec(spec: string): TokenOptions | undefined {
  let token: TokenOptions = {};
  const names = new Set<string>();
  for (const member of spec.split(';')) {
    const [, name = '', value = ''] = /^([\w-]+)=(.+)$/.exec(member.trim()) ?? [];
    const read = readMember(name, value);
    if (read === undefined || names.has(name)) return undefined;
    names.add(name);
    token = { ...token, ...read };
  }
  return token;
}

function readMember(name: string, value: string): TokenOptions | undefined {
  const list = value.split(',').map((one) => one.trim());
  switch (name) {
    case 'scopes': {
      const scopes = ALL_SCOPES.filter((scope) => list.includes(scope));
      return scopes.length === list.length ? { scopes } : undefined;
    }
    case 'expires': {
      const expiresAt = new Date(value);
      return Number.isNaN(expiresAt.getTime()) ? undefined : { expiresAt };
    }
    case 'spend-limit':
      return /^\d{1,9}$/.test(value) ? { spendLimit: Number(value) } : undefined;
    case 'allowlist':
      return list.every((one) => /^[\w.-]+\/[\w.-]+$/.test(one)) ? { repositoryAllowlist: list } : undefined;
    default:
      return undefined;
  }
}
