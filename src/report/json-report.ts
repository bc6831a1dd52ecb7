import { type GuidanceSource, SHOWN_HASH_DIGITS } from '../domain/guidance.ts';
import { scanKindOf } from '../domain/target.ts';
import { failOnText, isScanned } from '../domain/verdict.ts';
import { escapeJsonForLog } from '../text/log-text.ts';
import { type GroupedFinding, groupedFindings, unreadNotice } from './finding-list.ts';
import { headline } from './headline.ts';
import { type Report, showsProof, type WholeReport } from './report.ts';

/**
 * Renders a JSON document in chunks, and ends it with a line feed. Renders each item separately, because there can be
 * ten thousand of them.
 * @param document everything except the items. It ends with an empty array. The items are written into this array.
 * @param write makes the object of one item; called only when this item is rendered
 */
export function* streamedJson<Item>(
  document: object,
  items: readonly Item[],
  write: (item: Item) => object,
): Generator<string> {
  const text = escapeJsonForLog(JSON.stringify(document, null, 2));
  // The empty array is the last member of the document, so its brackets are the last ones.
  const place = text.lastIndexOf('[]') + 1;
  yield text.slice(0, place);
  for (const [index, item] of items.entries())
    yield `${index === 0 ? '' : ','}\n${escapeJsonForLog(JSON.stringify(write(item)))}`;
  yield `${items.length === 0 ? '' : '\n'}${text.slice(place)}\n`;
}

/** Increases when a member is removed or changes its meaning. A new member does not increase it. */
const SCHEMA_VERSION = 1;

/**
 * What programs read about a run, as the JSON report shows it. The outputs of the step show the same values. Contains no
 * findings. Pure.
 */
export function describeRun(report: Report | WholeReport) {
  const { verdict, policy, target, diffBase } = report;
  const { text, cause, problems, nextStep } = headline(report);
  const { findings } = verdict;
  return {
    schemaVersion: SCHEMA_VERSION,
    date: report.date.toISOString(),
    outcome: verdict.outcome,
    reason: verdict.failure?.reason ?? null,
    allowed: verdict.allowed,
    exitCode: verdict.exitCode,
    headline: text,
    cause: cause ?? null,
    problems,
    nextStep,
    ...report.timeSpent,
    policy: {
      severityThreshold: policy.severityThreshold,
      failOn: failOnText(policy.failOn),
      failOnEvidence: policy.failOn.defaultEvidence,
      allowUnscanned: policy.allowUnscanned,
      pathsExempt: policy.pathsExempt.map((pattern) => pattern.text),
    },
    repository: target === undefined ? null : `${target.repository.owner}/${target.repository.name}`,
    pullRequest: target?.pullRequest?.number ?? null,
    baseCommit: diffBase?.baseSha ?? null,
    baseFoundBy: diffBase?.baseSha === undefined ? null : diffBase.how,
    headCommit: target?.headSha ?? null,
    scanKind: target === undefined ? null : scanKindOf(target),
    sameFilesAs: report.sameFilesAs ?? null,
    scan: {
      id: report.scanId ?? null,
      status: report.scanStatus ?? null,
      reused: report.reused === true,
      commitConfirmed: report.commitConfirmed ?? null,
      baseConfirmed: report.baseConfirmed ?? null,
      preset: report.preflight?.preset.ref ?? null,
      creditsReserved: report.creditsReserved ?? null,
    },
    creditsPullRequest:
      report.creditsPullRequest === undefined ? null : { credits: report.creditsPullRequest },
    guidance: report.guidance === undefined ? null : describeGuidance(report.guidance),
    links: {
      run: report.runUrl === '' ? null : report.runUrl,
      checkRun: report.checkRunUrl ?? null,
      published: report.publication?.url ?? null,
    },
    notices: report.warnings,
    // Null if the change was not scanned, because zeros would say that there are no findings.
    counts: isScanned(verdict)
      ? {
          total: findings.total,
          reported: findings.reported.length,
          blocking: findings.blocking.length,
          below: findings.below.length,
          exempt: findings.exempt.length,
          triaged: findings.triaged.length,
          severities: findings.counts,
          highest: findings.highest ?? null,
        }
      : null,
  };
}

/**
 * Renders the report for programs as JSON, in chunks. The members have a fixed order. A member without a value is
 * `null`.
 *
 * The report never contains the password of the published page. In a public repository, it contains no proof of
 * concept.
 */
export function renderJsonReport(report: WholeReport): Iterable<string> {
  const grouped = groupedFindings(report.verdict);
  const run = describeRun(report);
  const notices = [...run.notices, ...unreadNotice(grouped)];
  const document = { ...run, notices, findings: run.counts === null ? null : [] };
  const proof = showsProof(report);
  return streamedJson(document, grouped, (one) => describeFinding(one, proof));
}

/** Names the source of the guidance. The text of the guidance stays private. */
function describeGuidance({ path, commitSha, characters, hash }: GuidanceSource): object {
  return { path, commit: commitSha, characters, sha256: hash.slice(0, SHOWN_HASH_DIGITS) };
}

function describeFinding({ finding, group, blocks }: GroupedFinding, withProof: boolean): object {
  return {
    id: finding.id ?? null,
    label: finding.label,
    group,
    blocks,
    severity: finding.severity.level.toUpperCase(),
    severityWord: finding.severity.word,
    triage: finding.triage?.word ?? null,
    evidence: finding.evidence ?? null,
    resolution: finding.resolution ?? null,
    title: finding.title,
    cwe: finding.cwe === undefined ? null : `CWE-${finding.cwe}`,
    path: finding.location?.path ?? null,
    startLine: finding.location?.startLine ?? null,
    endLine: finding.location?.endLine ?? null,
    url: finding.url ?? null,
    description: finding.description ?? null,
    recommendedFix: finding.recommendedFix ?? null,
    proofOfConcept: (withProof ? finding.proofOfConcept : undefined) ?? null,
  };
}
