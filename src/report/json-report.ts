import type { Finding } from '../domain/finding.ts';
import { headline } from './headline.ts';
import { headCommit, type Report, showsProof } from './report.ts';

/** Raised when a member changes its meaning or goes away; new members may come at any time. */
const SCHEMA_VERSION = 1;

/** What a reader of the file could not see; the line feeds are ours. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/**
 * The report for programs: JSON with a fixed order of members, `null` where there is no value.
 * It never holds the published page's password, nor a proof of concept of a public repository.
 */
export function renderJsonReport(report: Report): string {
  const { verdict, policy, target, diffBase } = report;
  const { words, cause, nextStep } = headline(verdict, policy);
  const { findings } = verdict;
  const scanned = verdict.outcome === 'passed' || verdict.outcome === 'blocked';
  const document = {
    schemaVersion: SCHEMA_VERSION,
    date: report.date.toISOString(),
    outcome: verdict.outcome,
    reason: verdict.stop?.reason ?? null,
    allowed: verdict.allowed,
    exitCode: verdict.exitCode,
    headline: words,
    cause: cause ?? null,
    nextStep,
    policy: {
      severityThreshold: policy.severityThreshold,
      failOn: policy.failOn,
      failOnEvidence: policy.failOnEvidence,
      allowUnscanned: policy.allowUnscanned,
    },
    repository: target === undefined ? null : `${target.repository.owner}/${target.repository.name}`,
    pullRequest: target?.pullRequest?.number ?? null,
    baseCommit: diffBase?.baseCommit ?? null,
    baseFoundBy: diffBase?.how ?? null,
    headCommit: headCommit(report) ?? null,
    scan: {
      id: report.scanId ?? null,
      status: report.scanStatus ?? null,
      reused: report.reused,
      preset: report.preset?.ref ?? null,
      creditsReserved: report.creditsReserved ?? null,
    },
    links: {
      run: report.runUrl,
      checkRun: report.checkRunUrl ?? null,
      published: report.publication?.url ?? null,
    },
    notices: report.notices,
    // Null, not zero: nothing is known about a change that was not scanned.
    counts: scanned
      ? {
          total: findings.total,
          reported: findings.reported.length,
          blocking: findings.blocking.length,
          below: findings.below.length,
          triaged: findings.triaged.length,
          severities: findings.counts,
          highest: findings.highest ?? null,
        }
      : null,
    findings: scanned ? findingsOf(report) : null,
  };
  return `${harmless(JSON.stringify(document, null, 2))}\n`;
}

/** The same values, written so that the runner obeys nothing when a later step prints the file. */
function harmless(json: string): string {
  return json.replaceAll('##[', '##\\u005b').replace(INVISIBLE, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

function findingsOf(report: Report) {
  const { reported, below, triaged, blocking } = report.verdict.findings;
  const blocks = new Set(blocking);
  const write = (group: string) => (finding: Finding) => ({
    id: finding.id ?? null,
    label: finding.label,
    group,
    blocks: blocks.has(finding),
    severity: finding.severity.level.toUpperCase(),
    severityWord: finding.severity.word,
    triage: finding.triage ?? null,
    evidence: finding.evidence ?? null,
    resolution: finding.resolution ?? null,
    title: finding.title,
    path: finding.location?.path ?? null,
    startLine: finding.location?.startLine ?? null,
    endLine: finding.location?.endLine ?? null,
    url: finding.url ?? null,
    description: finding.description ?? null,
    recommendedFix: finding.recommendedFix ?? null,
    proofOfConcept: (showsProof(report) ? finding.proofOfConcept : undefined) ?? null,
  });
  return [...reported.map(write('reported')), ...below.map(write('below')), ...triaged.map(write('triaged'))];
}
