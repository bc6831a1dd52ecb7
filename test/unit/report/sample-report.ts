import { type Finding, severityOf } from '../../../src/domain/finding.ts';
import type { NotScanned } from '../../../src/domain/result.ts';
import {
  disclosureOf,
  type PushBase,
  type ScanTarget,
  type TargetPullRequest,
} from '../../../src/domain/target.ts';
import { failOnAt, type GatePolicy, judge, type ScanOutcome } from '../../../src/domain/verdict.ts';
import type { ListedReport, WholeReport } from '../../../src/report/report.ts';
import { readTriage } from '../../../src/scan-api/wire.ts';

export const HEAD = '7d3f0c1b9a8e7f6d5c4b3a291807f6e5d4c3b2a1';
export const BASE = '1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e';

export const POLICY: GatePolicy = {
  severityThreshold: 'medium',
  failOn: failOnAt('high'),
  allowUnscanned: [],
  pathsExempt: [],
};

/** Members of a finding. `word` is the service's value of the severity. `triage` is its value of the triage status. */
export type SampleFinding = Partial<Omit<Finding, 'triage'>> & { word?: string; triage?: string | undefined };

/** A finding with every member. The given members replace the defaults. */
export function sampleFinding(members: SampleFinding = {}): Finding {
  const { word = 'HIGH', ...rest } = members;
  return {
    id: 'fnd_01HZX5QK2M8Q4WD7RT',
    label: 'ZK-8Q4WD7RT',
    severity: severityOf(word),
    evidence: 'POC',
    resolution: 'NOT_STARTED',
    title: 'SQL is built from the request’s input',
    cwe: 89,
    location: { path: 'src/users/search.ts', startLine: 41, endLine: 44 },
    url: 'https://scan.example/app/findings/8Q4WD7RT',
    description:
      "The search term goes into the statement as it is:\n\n```ts\ndb.query(`SELECT * FROM users WHERE name = '` + term + `'`);\n```\n\nAnyone who may search can read every table, `api_tokens` included.",
    recommendedFix: 'Pass the term as a parameter: `db.query("… WHERE name = $1", [term])`.',
    proofOfConcept: "curl 'http://localhost:3000/users?q=%27%20OR%201=1--'\n# 200 OK, 4,182 rows",
    ...rest,
    triage: readTriage('triage' in members ? members.triage : 'CONFIRMED'),
  };
}

/** A pull request from a branch of the repository. The given members replace the defaults. */
export function sampleTarget({
  event = 'pull_request',
  isPublic = false,
  secretsWithheld = false,
  pullRequest = {},
}: {
  readonly event?: ScanTarget['event'];
  readonly isPublic?: boolean;
  readonly secretsWithheld?: boolean;
  readonly pullRequest?: Partial<TargetPullRequest>;
} = {}): ScanTarget {
  return {
    event,
    repository: { owner: 'acme', name: 'shop', isPublic },
    headSha: HEAD,
    base: { kind: 'branch', name: 'main', tip: BASE },
    secretsWithheld,
    pullRequest: {
      number: 128,
      state: 'open',
      updatedAt: new Date('2026-01-15T11:59:00Z'),
      author: 'dana',
      isFork: false,
      brings: 'head',
      previousHead: undefined,
      ...pullRequest,
    },
  };
}

/** A push to a branch of the repository. */
export function samplePush(base: Partial<PushBase> = {}, isPublic = false): ScanTarget {
  return {
    ...sampleTarget({ event: 'push', isPublic }),
    base: { kind: 'push', branch: 'main', before: BASE, defaultBranch: 'main', ...base },
    pullRequest: undefined,
  };
}

/** A scheduled full scan. */
export function sampleFullScan(isPublic = false): ScanTarget {
  return { ...sampleTarget({ event: 'schedule', isPublic }), base: { kind: 'none' }, pullRequest: undefined };
}

type Members<Report> = Partial<Report> & { readonly isPublic?: boolean };

/** A report of this outcome, or of a completed scan with these findings. The given members replace the defaults. */
export function sampleReport(
  outcome: ScanOutcome | readonly Finding[],
  members: Members<ListedReport> = {},
): ListedReport {
  const { disclosure, ...whole } = sampleWhole(outcome, members);
  if (disclosure === 'labels') throw new Error('such a report does not list its findings: use sampleWhole');
  return { ...whole, disclosure };
}

/** Like `sampleReport`, but also makes reports whose public outputs show findings only by label. */
export function sampleWhole(
  outcome: ScanOutcome | readonly Finding[],
  members: Members<WholeReport> = {},
): WholeReport {
  const { isPublic = false, policy = POLICY, ...rest } = members;
  const target = 'target' in rest ? rest.target : sampleTarget({ isPublic });
  const scanned = 'kind' in outcome ? outcome : completed(outcome);
  const scan = scanned.kind === 'completed' ? scanned.scan : undefined;
  return {
    verdict: judge(scanned, policy),
    policy,
    checkName: 'Security scan',
    target,
    disclosure: disclosureOf(target),
    diffBase: { baseSha: BASE, headSha: HEAD, how: 'compare' },
    preflight: { preset: { ref: 'diff-standard', name: 'Diff, standard', minCredits: 40 } },
    scanId: scan?.id,
    scanStatus: scan?.status,
    creditsReserved: scan?.progress.reservedCredits,
    creditsPullRequest: scan && target?.pullRequest && 80,
    commitConfirmed: scan === undefined ? undefined : true,
    baseConfirmed: scan === undefined ? undefined : true,
    reused: false,
    publication: undefined,
    serverUrl: 'https://github.com',
    serviceOrigin: 'https://scan.example',
    runUrl: 'https://github.com/acme/shop/actions/runs/9876543210',
    runAttempt: 1,
    checkRunUrl: undefined,
    warnings: [],
    date: new Date('2026-03-04T05:06:07.000Z'),
    timeSpent: {
      waitedForReadinessMs: 0,
      scanMs: scan === undefined ? 0 : 61_250,
      totalMs: scan === undefined ? 3_250 : 64_500,
    },
    ...rest,
  };
}

export function completed(findings: readonly Finding[]): ScanOutcome {
  const progress = { phasesCompleted: 6, phasesTotal: 6, weighted: 1, reservedCredits: 40 };
  const scan = {
    id: 'scn_01HZX5M3',
    status: 'COMPLETED',
    repositoryId: 'rep_1',
    presetRef: 'diff-standard',
    baseSha: BASE,
    headSha: HEAD,
    createdAt: '2026-03-04T05:00:00Z',
    creditBudget: 40,
    areas: [],
    guidance: undefined,
    progress,
  };
  return { kind: 'completed', scan, findings };
}

export const INSUFFICIENT_CREDITS: NotScanned = {
  reason: 'insufficient-credits',
  cause: 'The organization’s credits do not cover the scan’s budget of 40 credits.',
  nextStep:
    'Ask an owner of the organization in the scanning service to buy credits, or lower credit-budget.',
};
