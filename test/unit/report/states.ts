import { type Finding, worstFirst } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { FAIL_ON_NONE, type FailOn, failOnAt } from '../../../src/domain/verdict.ts';
import { combineFaults } from '../../../src/preflight/preflight.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { missingGuidance, pushWithoutBase, refused, refusedTarget } from './sample-failures.ts';
import {
  BASE,
  HEAD,
  POLICY,
  sampleFinding,
  sampleFullScan,
  samplePush,
  sampleReport,
  sampleTarget,
} from './sample-report.ts';

const secret = sampleFinding({
  id: 'fnd_2',
  label: 'ZK-2M8QK2WD',
  word: 'CRITICAL',
  evidence: 'ANALYSIS',
  title: 'Private key committed to the repository',
  cwe: 798,
  location: { path: 'config/deploy/id_ed25519', startLine: 1, endLine: 1 },
  url: undefined,
  description: 'The file holds an unencrypted private key.',
  recommendedFix: 'Revoke the key, then remove the file and its history.',
  proofOfConcept: undefined,
});
const redirect = sampleFinding({
  id: 'fnd_3',
  label: 'ZK-77RT5QKX',
  word: 'MEDIUM',
  triage: 'PENDING',
  evidence: null,
  title: 'Redirect to an address from the query string',
  cwe: 601,
  location: { path: 'src/login.ts', startLine: 17, endLine: undefined },
  proofOfConcept: undefined,
});
const verbose = sampleFinding({
  id: 'fnd_4',
  label: 'ZK-LOWLOW01',
  word: 'LOW',
  title: 'Stack trace in an error page',
  cwe: undefined,
  location: undefined,
  description: undefined,
  recommendedFix: undefined,
  proofOfConcept: undefined,
});
const triaged = sampleFinding({
  id: 'fnd_5',
  label: 'ZK-FALSEPO5',
  resolution: 'FALSE_POSITIVE',
  title: 'Weak hash for a cache key',
  cwe: 328,
  location: { path: 'src/cache.ts', startLine: 8, endLine: 8 },
});

const tested = sampleFinding({
  id: 'fnd_6',
  label: 'ZK-TESTED06',
  title: 'Password in a test',
  cwe: 798,
  location: { path: 'packages/shop/test/login.test.ts', startLine: 12, endLine: 12 },
  description: undefined,
  recommendedFix: undefined,
  proofOfConcept: undefined,
});
const LIST: FailOn = {
  rules: [
    { severity: 'critical', evidence: 'any' },
    { severity: 'high', evidence: 'confirmed' },
    { severity: 'medium', evidence: 'poc' },
  ],
  defaultEvidence: 'any',
};

export const HOSTILE_TEXT =
  'fixes #1, @acme/admins GH-7 acme/shop#9 deadbeefcafe0123 <img src=x onerror=alert(1)> <!-- scangate:v1 --> ' +
  '[x](javascript:alert) ![i](http://evil.example/i.png) www.evil.example mail@evil.example :tada: $x$ ' +
  '| a | b |\n::error::owned\n##[error]owned\n# heading\n> [!NOTE]\n> a\n\n---\n- [ ] task\n\n```\nfence\n~~~\n</details>' +
  '[^1] \u202Ereversed\u200B \u001b[31mred \ud800 \u{E0041}';

const hostile = sampleFinding({
  id: 'x',
  label: `ZK-${HOSTILE_TEXT}`,
  word: HOSTILE_TEXT,
  triage: HOSTILE_TEXT,
  evidence: HOSTILE_TEXT,
  resolution: HOSTILE_TEXT,
  title: HOSTILE_TEXT,
  location: { path: `../${HOSTILE_TEXT}`, startLine: -1, endLine: Number.NaN },
  url: `https://evil.example/${HOSTILE_TEXT}`,
  description: HOSTILE_TEXT,
  recommendedFix: HOSTILE_TEXT,
  proofOfConcept: HOSTILE_TEXT,
});

/** Makes `count` findings of three severities. Their texts have a usual length. */
export function manyFindings(count: number): Finding[] {
  const severities = ['CRITICAL', 'HIGH', 'MEDIUM'];
  return Array.from({ length: count }, (_, index) =>
    sampleFinding({
      id: `fnd_many_${index}`,
      label: `ZK-MANY${String(index).padStart(4, '0')}`,
      word: severities[index % severities.length] ?? 'HIGH',
      location: { path: `src/module${index % 7}/file.ts`, startLine: index + 1, endLine: index + 3 },
      description: 'The value reaches the sink without a check. '.repeat(30).trim(),
    }),
  );
}

/** The findings as a run shows them that read the details of the 50 worst. */
export function withFiftyRead(findings: readonly Finding[]): Finding[] {
  const texts = { description: undefined, recommendedFix: undefined, proofOfConcept: undefined };
  return worstFirst(findings).map((finding, index) =>
    index < 50 ? finding : { ...finding, ...texts, detailsUnread: true },
  );
}

/** A report for each state that users see. */
export const STATES: Readonly<Record<string, ListedReport>> = {
  blocked: sampleReport([sampleFinding(), secret, redirect, verbose, triaged], {
    warnings: [
      'The details of ZK-77RT5QKX could not be read: the service answered with an internal error. Re-run this job to read them.',
    ],
  }),
  'blocked-public-published': sampleReport(
    [sampleFinding(), { ...secret, proofOfConcept: 'ssh -i id_ed25519' }],
    {
      isPublic: true,
      publication: {
        publicId: 'pub_1',
        url: 'https://scan.example/public/scans/pub_1',
        gated: true,
        accessPassword: 'the-password',
      },
    },
  ),
  'blocked-evidence': sampleReport([sampleFinding(), { ...redirect, ...{ severity: secret.severity } }], {
    policy: { ...POLICY, failOn: failOnAt('high', 'poc') },
  }),
  'blocked-fail-on-list': sampleReport([sampleFinding({ evidence: 'ANALYSIS' }), secret, redirect, verbose], {
    policy: { ...POLICY, failOn: LIST },
  }),
  'blocked-still-found': sampleReport([sampleFinding({ resolution: 'RESOLVED' })]),
  passed: sampleReport([redirect, verbose, triaged], { reused: true }),
  clean: sampleReport([]),
  unchanged: sampleReport({ kind: 'unchanged' }, { scanId: undefined }),
  'passed-fail-on-none': sampleReport([sampleFinding(), redirect], {
    policy: { ...POLICY, failOn: FAIL_ON_NONE },
  }),
  'passed-without-evidence': sampleReport(
    [{ ...secret, triage: redirect.triage, evidence: null }, redirect, verbose],
    { policy: { ...POLICY, failOn: failOnAt('high', 'confirmed') } },
  ),
  'passed-exempt': sampleReport([tested, redirect, verbose, triaged], {
    policy: { ...POLICY, pathsExempt: readPathPatterns('**/test/**').patterns },
  }),
  'not-scanned': sampleReport({
    kind: 'not-scanned',
    failure: refused('launch the scan', 402, 'insufficient_credits'),
  }),
  'not-scanned-problems': sampleReport(
    {
      kind: 'not-scanned',
      failure: combineFaults([
        refused('launch the scan', 403, 'forbidden'),
        refused('launch the scan', 400, 'diff_base_not_allowed'),
      ]),
    },
    { preflight: undefined },
  ),
  'not-scanned-findings-unread': sampleReport(
    { kind: 'not-scanned', failure: refused('list the findings', 500, 'internal') },
    { scanId: 'scn_01HZX5M3', scanStatus: 'COMPLETED', creditsReserved: 40 },
  ),
  'not-scanned-dependabot': sampleReport(
    {
      kind: 'not-scanned',
      failure: await refusedTarget(
        'pull_request',
        { author: 'dependabot[bot]', secretsWithheld: true },
        false,
      ),
    },
    { diffBase: undefined, preflight: undefined },
  ),
  'not-scanned-allowed': sampleReport(
    {
      kind: 'not-scanned',
      failure: await refusedTarget('pull_request', { isFork: true, secretsWithheld: true }, false),
    },
    {
      policy: { ...POLICY, allowUnscanned: ['missing-token'] },
      target: sampleTarget({ secretsWithheld: true, pullRequest: { isFork: true } }),
      diffBase: undefined,
      preflight: undefined,
    },
  ),
  'push-blocked': sampleReport([sampleFinding(), redirect], { target: samplePush() }),
  'push-without-base': sampleReport(
    { kind: 'not-scanned', failure: await pushWithoutBase() },
    { target: samplePush({ before: undefined }), diffBase: undefined },
  ),
  guided: sampleReport([redirect], {
    guidance: {
      path: '.github/security-guidance.md',
      commitSha: BASE,
      characters: 1234,
      hash: '0123456789abcdef'.repeat(4),
    },
  }),
  'not-scanned-guidance': sampleReport({ kind: 'not-scanned', failure: await missingGuidance() }),
  'full-scan': sampleReport([sampleFinding(), secret, redirect, verbose, triaged], {
    target: sampleFullScan(),
    diffBase: { baseSha: undefined, headSha: HEAD, how: 'none' },
    baseConfirmed: undefined,
    preflight: { preset: { ref: 'full-audit', name: 'Full audit', minCredits: 0 } },
    policy: { ...POLICY, failOn: FAIL_ON_NONE },
  }),
  'sixty-findings': sampleReport(withFiftyRead(manyFindings(60))),
  hostile: sampleReport([hostile], {
    checkName: HOSTILE_TEXT,
    scanId: HOSTILE_TEXT,
    preflight: { preset: { ref: HOSTILE_TEXT, name: HOSTILE_TEXT, minCredits: 0 } },
    warnings: [HOSTILE_TEXT],
    guidance: {
      path: HOSTILE_TEXT,
      commitSha: HOSTILE_TEXT,
      characters: Number.MAX_SAFE_INTEGER,
      hash: HOSTILE_TEXT,
    },
    publication: {
      publicId: 'x',
      url: 'https://scan.example.evil.example/',
      gated: false,
      accessPassword: null,
    },
  }),
};
