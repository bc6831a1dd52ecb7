import type { CodeRule } from './code-rule.ts';

export const disabledTlsVerification: CodeRule = {
  id: 'disabled-tls-verification',
  cwe: 'CWE-295',
  severity: 'MEDIUM',
  title: 'Certificate verification switched off',
  description:
    'The certificate of the server is not verified. An attacker on the network path can read and change everything sent over this connection.',
  recommendedFix:
    'Leave verification on. For a private certificate authority give its certificate in `ca`, or set NODE_EXTRA_CA_CERTS.',
  notInTests: true,
  needs: /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/,
  matcher: {
    rule: {
      any: [
        {
          kind: 'pair',
          all: [
            { has: { field: 'key', regex: '^["\']?rejectUnauthorized["\']?$' } },
            { has: { field: 'value', regex: '^(false|!1)$' } },
          ],
        },
        {
          kind: 'assignment_expression',
          any: [
            {
              all: [
                { has: { field: 'left', regex: '\\.rejectUnauthorized$' } },
                { has: { field: 'right', regex: '^(false|!1)$' } },
              ],
            },
            {
              all: [
                { has: { field: 'left', regex: '^process\\.env\\W+NODE_TLS_REJECT_UNAUTHORIZED\\W*$' } },
                { has: { field: 'right', regex: '^["\'`]?0["\'`]?$' } },
              ],
            },
          ],
        },
      ],
    },
  },
  inspect: (match) => ({
    nodes: [match],
    proof: { kind: 'ANALYSIS', text: 'The setting is written out in the code.' },
  }),
};
