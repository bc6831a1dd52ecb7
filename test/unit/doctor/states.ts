import { diagnose } from '../../../src/doctor/diagnose.ts';
import type { Row } from '../../../src/doctor/row.ts';
import { finding } from '../domain/sample-finding.ts';
import { factsOf, GUIDANCE, requires, workflow } from './sample-facts.ts';

const CONDITIONAL = {
  path: '.github/workflows/scangate.yml',
  text: "on: { pull_request: { types: [opened, synchronize, reopened, edited] } }\njobs:\n  scangate:\n    if: github.actor != 'bot'\n    steps:\n      - uses: scangate/scangate@v0\n",
};
const TRIAGE = {
  path: '.github/workflows/triage.yml',
  text: 'on: [workflow_dispatch, issue_comment]\njobs:\n  triage:\n    permissions: { checks: read, pull-requests: write, actions: write }\n    steps:\n      - uses: scangate/scangate/triage@v0\n',
};
const FORKS = {
  path: '.github/workflows/scangate.yml',
  text: 'on: pull_request_target\nconcurrency: { group: a, cancel-in-progress: true }\njobs:\n  scangate:\n    environment: scan-forks\n    needs: build\n    continue-on-error: true\n    steps:\n      - uses: scangate/scangate@v0\n        with: { scan-forks: all, fail-on: none, allow-unscanned: untrusted-fork }\n',
};
const REQUIRED_WORKFLOW = {
  type: 'workflows',
  parameters: { workflows: [{ path: '.github/workflows/scangate.yml', repository_id: 1 }] },
};

/** Tables of the doctor. Each key is the anchor of a table in the gallery. */
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
        repository: { readiness: 'analyzing' },
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
  'doctor-can-be-skipped': {
    name: 'Ready, but the job can be skipped',
    rows: diagnose(
      factsOf({
        github: {
          workflows: {
            ok: true,
            value: {
              files: [CONDITIONAL, TRIAGE],
              complete: true,
            },
          },
        },
      }),
    ),
  },
  'doctor-green-by-accident': {
    name: 'Can be green by accident',
    rows: diagnose(
      factsOf({
        github: {
          repository: { id: 1, defaultBranch: 'main', isPublic: true },
          rules: { ok: true, value: { rules: [REQUIRED_WORKFLOW], complete: true } },
          workflows: { ok: true, value: { files: [FORKS], complete: true } },
          targetRuns: { ok: true, value: false },
          environments: new Map([['scan-forks', { ok: true, value: undefined }]]),
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
        service: {
          projectId: undefined,
          lists: undefined,
          scan: undefined,
          findings: undefined,
        },
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
