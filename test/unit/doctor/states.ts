import { diagnose } from '../../../src/doctor/diagnose.ts';
import type { Row } from '../../../src/doctor/row.ts';
import { finding } from '../domain/sample-finding.ts';
import { factsOf, GUIDANCE, requires, workflow } from './sample-facts.ts';

/** Tables of the doctor, by the anchor of each in the gallery. */
export const DOCTOR_STATES: Readonly<
  Record<string, { readonly name: string; readonly rows: readonly Row[] }>
> = {
  'doctor-ready': { name: 'Ready', rows: diagnose(factsOf({ facts: { guidance: GUIDANCE } })) },
  'doctor-not-ready': {
    name: 'Not ready',
    rows: diagnose(
      factsOf({
        inputs: { 'fail-on': 'hihg', 'credit-budget': '5', 'launch-parameters': '{"guidance":"Be strict."}' },
        token: { scopes: ['read'], expiresAt: '2026-01-18T12:00:00Z', spendLimit: 100, allowlist: ['r1'] },
        repository: { defaultBranch: 'master', readiness: 'analyzing' },
        scan: { headSha: undefined },
        findings: [finding({ severity: 'SEVERE' })],
        github: {
          rules: {
            ok: true,
            value: { rules: [requires('Security scan'), { type: 'merge_queue' }], complete: true },
          },
          workflows: { ok: true, value: { files: [workflow()], complete: true } },
        },
      }),
    ),
  },
  'doctor-unreachable': {
    name: 'Service and GitHub out of reach',
    rows: diagnose(
      factsOf({
        token: {
          kind: 'unreachable',
          operation: 'check the API token',
          cause: 'certificate',
          sent: 'no',
          detail: 'SELF_SIGNED_CERT_IN_CHAIN',
        },
        service: { projectId: undefined, lists: undefined, scan: undefined, findings: undefined },
        github: 'not asked',
      }),
    ),
  },
  'doctor-public': {
    name: 'Public repository',
    rows: diagnose(
      factsOf({
        about: { isPublic: true },
        token: { expiresAt: '2027-01-18T12:00:00Z', spendLimit: 100, allowlist: ['r1', 'r2'] },
      }),
    ),
  },
};
