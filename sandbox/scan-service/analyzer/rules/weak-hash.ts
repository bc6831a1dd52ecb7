import { type CodeRule, callsOf } from './code-rule.ts';

export const weakHash: CodeRule = {
  id: 'weak-hash',
  cwe: 'CWE-328',
  severity: 'LOW',
  title: 'Broken hash function',
  description:
    'MD5 and SHA-1 are broken: two inputs with the same hash can be made. That matters wherever the hash guards a password, a signature or a download; it does not for a mere checksum.',
  recommendedFix: 'Use `sha256` or better; for passwords `scrypt` or `argon2` with a salt.',
  notInTests: true,
  needs: /createHash|createHmac/,
  matcher: {
    rule: {
      any: [...callsOf('createHash'), ...callsOf('$CRYPTO.createHash'), ...callsOf('$CRYPTO.createHmac')],
    },
    constraints: { ARG: { kind: 'string', regex: '(?i)^.(md5|sha-?1).$' } },
  },
  // The call does not show what the hash is for, so a person has to decide.
  inspect: (match) => ({ nodes: [match], proof: null }),
};
