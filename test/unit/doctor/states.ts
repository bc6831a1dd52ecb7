import { diagnose } from '../../../src/doctor/diagnose.ts';
import type { Row } from '../../../src/doctor/row.ts';
import { ok } from '../../../src/domain/result.ts';
import { finding } from '../domain/sample-finding.ts';
import { on } from './gate-workflow.ts';
import { givenOf, type Repository } from './look.ts';
import { factsOf, type Given, GUIDANCE, requires, requiresWorkflow } from './sample-facts.ts';

const NOT_READY: Given = {
  inputs: { 'fail-on': 'hihg', 'credit-budget': '5', 'launch-parameters': '{"guidance":"Be strict."}' },
  token: { scopes: ['read'], expiresAt: '2026-01-18T12:00:00Z', spendLimit: 100, allowlist: ['r1'] },
  repository: { readiness: 'analyzing' },
  scan: { headSha: undefined },
  findings: [finding({ severity: 'SEVERE' })],
};
const CAN_BE_SKIPPED: Repository = {
  gate: { job: { if: "github.actor != 'bot'" } },
  files: {
    'triage.yml': {
      on: ['workflow_dispatch', 'issue_comment'],
      jobs: { triage: { steps: [{ uses: 'scangate/scangate/triage@v0' }] } },
    },
  },
};
const GREEN_BY_ACCIDENT: Repository = {
  gate: {
    on: on('pull_request_target'),
    concurrency: { group: 'a', 'cancel-in-progress': true },
    job: { environment: 'scan-forks', needs: 'build', 'continue-on-error': true },
    step: { with: { 'scan-forks': 'all', 'fail-on': 'none', 'allow-unscanned': 'untrusted-fork' } },
  },
  rules: [requiresWorkflow('.github/workflows/scangate.yml', 1)],
  github: {
    repository: { id: 1, defaultBranch: 'main', isPublic: true },
    targetRuns: ok(false),
    environments: new Map([['scan-forks', ok(undefined)]]),
  },
};
const UNREACHABLE: Given = {
  token: {
    kind: 'unreachable',
    operation: 'check the API token',
    cause: 'certificate',
    sent: 'no',
    detail: 'SELF_SIGNED_CERT_IN_CHAIN',
  },
  service: { projectId: undefined, lists: undefined, scan: undefined, findings: undefined },
  github: 'not asked',
};
const PUBLIC: Given = {
  about: { isPublic: true },
  token: { expiresAt: '2027-01-18T12:00:00Z', spendLimit: 100, allowlist: ['r1', 'r2'] },
};

const state = (name: string, given: Given) => ({ name, rows: diagnose(factsOf(given)) });

/** Tables of the doctor. Each key is the anchor of a table in the gallery. */
export const DOCTOR_STATES: Readonly<
  Record<string, { readonly name: string; readonly rows: readonly Row[] }>
> = {
  'doctor-ready': state('Ready', { facts: { guidance: GUIDANCE } }),
  'doctor-not-ready': state(
    'Not ready',
    givenOf({ given: NOT_READY, rules: [requires('Security scan'), { type: 'merge_queue' }] }),
  ),
  'doctor-can-be-skipped': state('Ready, but the job can be skipped', givenOf(CAN_BE_SKIPPED)),
  'doctor-green-by-accident': state('Can be green by accident', givenOf(GREEN_BY_ACCIDENT)),
  'doctor-unreachable': state('Service and GitHub out of reach', UNREACHABLE),
  'doctor-public': state('Public repository', PUBLIC),
};
