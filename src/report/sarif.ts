import { cutCharacters } from '../text/text-limit.ts';
import { type GroupedFinding, groupedFindings, unreadNotice } from './grouped-findings.ts';
import { countOf, headline } from './headline.ts';
import { headShaOf, type WholeReport } from './report.ts';
import { fingerprintsOf } from './sarif-fingerprints.ts';
import { SOURCE_ROOT, sarifResults } from './sarif-result.ts';
import { sarifRules } from './sarif-rules.ts';
import { hashOf, plainLine, slugOf } from './sarif-text.ts';
import { streamedJson } from './streamed-json.ts';
import { TOOL } from './tool.ts';

/** Code scanning keeps at most this many results of a run. It refuses a file with more than 25,000 results. */
export const MOST_RESULTS = 5_000;
/**
 * Our choice: the texts of all findings together have at most this many characters. A text appears several times, in
 * results and in rules, and counts each time. Code scanning accepts 10 MB after compression.
 */
const TEXTS_LIMIT = 12_000_000;
const COPIES_OF_TEXTS = 7;
const LONGEST_TEXT = 10_000;
const LONGEST_NOTICE = 500;
const LONGEST_CATEGORY = 60;

/**
 * Renders the findings of a completed scan as SARIF 2.1.0, in chunks.
 *
 * The file has at most `MOST_RESULTS` results. The groups of open findings come first, and each group is sorted worst
 * first. The triaged findings follow as suppressions. A notification and the properties of the run say how many
 * findings are left out.
 *
 * The file never contains the password of the published page. In a public repository, it contains no proof of concept.
 */
export function* renderSarif(report: WholeReport): Generator<string> {
  const all = groupedFindings(report.verdict);
  const listed = all.slice(0, MOST_RESULTS);
  const findings = listed.map(({ finding }) => finding);
  const withTexts = findings.filter(
    (one) => one.description ?? one.recommendedFix ?? one.proofOfConcept,
  ).length;
  const longest = Math.min(LONGEST_TEXT, Math.floor(TEXTS_LIMIT / COPIES_OF_TEXTS / Math.max(withTexts, 1)));
  const { rules, ruleOf } = sarifRules(findings, report, longest);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ ...describeRun(report, listed, all.length - listed.length, rules), results: [] }],
  };
  yield* streamedJson(log, listed, sarifResults(report, ruleOf, fingerprintsOf(all), longest));
}

function describeRun(
  report: WholeReport,
  listed: readonly GroupedFinding[],
  leftOut: number,
  rules: readonly object[],
): object {
  const { verdict, policy, target, diffBase, scanId, runUrl, serverUrl } = report;
  const head = headShaOf(report);
  const warnings = [...report.warnings, ...unreadNotice(listed), ...leftOutNotice(leftOut)];
  return {
    tool: { driver: { ...TOOL, rules } },
    automationDetails: { id: `scangate/${categoryOf(report.checkName)}/` },
    invocations: [
      {
        executionSuccessful: true,
        endTimeUtc: report.date.toISOString(),
        toolExecutionNotifications: warnings.map((notice) => ({
          level: 'warning',
          message: { text: plainLine(cutCharacters(notice, LONGEST_NOTICE)) },
        })),
      },
    ],
    ...(target === undefined || head === undefined
      ? {}
      : {
          versionControlProvenance: [
            {
              repositoryUri: `${serverUrl}/${encodeURIComponent(target.repository.owner)}/${encodeURIComponent(target.repository.name)}`,
              revisionId: head,
              mappedTo: { uriBaseId: SOURCE_ROOT },
            },
          ],
        }),
    originalUriBaseIds: {
      [SOURCE_ROOT]: { description: { text: 'The root of the repository at the scanned commit.' } },
    },
    properties: {
      outcome: verdict.outcome,
      headline: headline(verdict, policy).text,
      findings: verdict.findings.total,
      findingsLeftOut: leftOut,
      ...(scanId === undefined ? {} : { scanId }),
      ...(diffBase?.baseSha === undefined ? {} : { baseCommit: diffBase.baseSha }),
      workflowRun: runUrl,
    },
  };
}

function leftOutNotice(leftOut: number): string[] {
  if (leftOut === 0) return [];
  const count = countOf(leftOut, 'more finding');
  return [
    `${count} did not fit here: code scanning keeps ${MOST_RESULTS}. See the scanning service for all of them.`,
  ];
}

/**
 * Returns the category of the alerts. Each `check-name` has a category of its own. So two steps with different names do
 * not overwrite each other's alerts.
 */
function categoryOf(checkName: string): string {
  const slug = slugOf(checkName, LONGEST_CATEGORY);
  const isWhole = slug !== '' && slug === checkName.toLowerCase().replaceAll(' ', '-');
  return isWhole ? slug : `${slug || 'check'}-${hashOf(checkName).slice(0, 8)}`;
}
