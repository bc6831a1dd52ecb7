import { type Finding, UNTITLED } from '../domain/finding.ts';
import { cutCharacters } from '../text/visible-text.ts';
import { type GroupedFinding, groupedFindings, unreadNotice } from './finding-list.ts';
import { countOf, headline } from './headline.ts';
import { streamedJson } from './json-report.ts';
import { evidenceLabel, resolutionLabel, severityLabel } from './labels.ts';
import { allowedLinks, causeWithoutLines, placeOf, TOOL } from './links.ts';
import { allowedAddress } from './markdown.ts';
import type { WholeReport } from './report.ts';
import { hashOf, plainLine, plainText, ruleIdOf, sarifLevel, sarifRules, slugOf } from './sarif-rules.ts';

/**
 * Computes a fingerprint `<hash>:<number>` for each finding. The hash is made from the finding's rule and path. The
 * number distinguishes findings with the same rule and path.
 *
 * The fingerprint stays the same if triage changes the severity, if lines move, or if the service assigns new finding
 * ids. SARIF files contain the fingerprint as `primaryLocationLineHash`, because GitHub reads no other fingerprint.
 */
function fingerprintsOf(all: readonly GroupedFinding[]): ReadonlyMap<GroupedFinding, string> {
  const seen = new Map<string, number>();
  return new Map(
    all
      .toSorted((a, b) => byPlace(a.finding, b.finding))
      .map((one) => {
        const hash = hashOf('occurrence', ruleIdOf(one.finding), one.finding.location?.path);
        const number = (seen.get(hash) ?? 0) + 1;
        seen.set(hash, number);
        return [one, `${hash}:${number}`] as const;
      }),
  );
}

/** Sorts by start line, end line and title. Each path has numbers of its own, so the order of paths does not matter. */
function byPlace(a: Finding, b: Finding): number {
  const lines = (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0);
  const ends = (a.location?.endLine ?? 0) - (b.location?.endLine ?? 0);
  return lines || ends || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0);
}

const SOURCE_ROOT = '%SRCROOT%';

/**
 * The path of a finding without a usable place. Code scanning refuses a whole file if one result has no path. Other
 * scanners use this name too, so users of GitHub know it.
 */
const NO_FILE = 'no%20file%20associated%20with%20this%20alert';
const LONGEST_TITLE = 300;
const LONGEST_WORD = 200;

/**
 * Makes the results of a SARIF file one by one. The file leaves out members that are undefined.
 * @param longest the number of characters kept of each text
 */
function sarifResults(
  report: WholeReport,
  ruleOf: (finding: Finding) => object,
  fingerprints: ReadonlyMap<GroupedFinding, string>,
  longest: number,
): (one: GroupedFinding) => object {
  return (one) => {
    const { finding, group, blocks } = one;
    const address = finding.url && allowedAddress(finding.url, allowedLinks(report));
    return {
      ...ruleOf(finding),
      level: sarifLevel(finding.severity),
      message: { text: messageOf(finding, longest) },
      locations: [locationOf(finding)],
      partialFingerprints: { primaryLocationLineHash: fingerprints.get(one) },
      // Every result has this member, so an empty list means "not suppressed".
      suppressions: suppressionsOf(finding),
      hostedViewerUri: address || undefined,
      properties: {
        findingId: finding.id,
        label: shortWord(finding.label),
        group,
        blocks,
        severity: shortWord(severityLabel(finding.severity)),
        evidence: shortWord(evidenceLabel(finding)),
        resolution: finding.resolution && shortWord(finding.resolution),
      },
    };
  };
}

/** The message of a result. In narrow views, code scanning shows only its first sentence. */
function messageOf(finding: Finding, longest: number): string {
  const { title, description, recommendedFix } = finding;
  const name = plainLine(cutCharacters(title, LONGEST_TITLE).trim()) || UNTITLED;
  const pieces = [
    /[.!?…]$/.test(name) ? name : `${name}.`,
    plainText(cutCharacters(description ?? '', longest)),
    recommendedFix?.trim() ? plainText(`How to fix: ${cutCharacters(recommendedFix, longest)}`) : '',
    // Code scanning does not show properties of a result. So the text says how to find the finding in the service.
    `In the scanning service: ${shortWord(finding.label)} (${shortWord(evidenceLabel(finding))}).`,
  ];
  return pieces.filter((part) => part.trim() !== '').join('\n\n');
}

function locationOf({ location }: Finding): object {
  const place = placeOf(location);
  if (place === undefined) {
    const named =
      location === undefined
        ? 'The service gives no location.'
        : `Not linked, because ${causeWithoutLines(location)}: ${location.path}`;
    return {
      physicalLocation: { artifactLocation: { uri: NO_FILE } },
      message: { text: plainLine(cutCharacters(named, LONGEST_TITLE)) },
    };
  }
  const { path, lines } = place;
  const uri = path.split('/').map(encodeURIComponent).join('/');
  const region = lines && { startLine: lines.start, endLine: lines.end };
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: SOURCE_ROOT },
      region,
    },
  };
}

function suppressionsOf(finding: Finding): readonly object[] {
  const text = resolutionLabel(finding);
  if (text === undefined) return [];
  const justification = `Closed by triage in the scanning service: ${text}.`;
  return [{ kind: 'external', status: 'accepted', justification }];
}

function shortWord(text: string): string {
  return cutCharacters(plainLine(text), LONGEST_WORD);
}

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
  const { verdict, target, diffBase, scanId, runUrl, serverUrl } = report;
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
    versionControlProvenance: target && [
      {
        repositoryUri: `${serverUrl}/${encodeURIComponent(target.repository.owner)}/${encodeURIComponent(target.repository.name)}`,
        revisionId: target.headSha,
        mappedTo: { uriBaseId: SOURCE_ROOT },
      },
    ],
    originalUriBaseIds: {
      [SOURCE_ROOT]: { description: { text: 'The root of the repository at the scanned commit.' } },
    },
    properties: {
      outcome: verdict.outcome,
      headline: headline(report).text,
      findings: verdict.findings.total,
      findingsLeftOut: leftOut,
      scanId,
      baseCommit: diffBase?.baseSha,
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
