import type { Finding } from '../domain/finding.ts';
import { cutCharacters } from '../text/text-limit.ts';
import { evidenceLabel, resolutionLabel, severityLabel } from './finding-labels.ts';
import type { GroupedFinding } from './grouped-findings.ts';
import { allowedAddress } from './link-target.ts';
import { allowedLinks } from './links.ts';
import { placeOf } from './location.ts';
import type { WholeReport } from './report.ts';
import { sarifLevel } from './sarif-rules.ts';
import { plainLine, plainText } from './sarif-text.ts';

export const SOURCE_ROOT = '%SRCROOT%';

/**
 * The path of a finding without a usable place. Code scanning refuses a whole file if one result has no path. Other
 * scanners use this name too, so users of GitHub know it.
 */
const NO_FILE = 'no%20file%20associated%20with%20this%20alert';
const LONGEST_TITLE = 300;
const LONGEST_WORD = 200;

/**
 * Makes the results of a SARIF file one by one.
 * @param longest the number of characters kept of each text
 */
export function sarifResults(
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
      ...(address ? { hostedViewerUri: address } : {}),
      properties: {
        ...(finding.id === undefined ? {} : { findingId: finding.id }),
        label: shortWord(finding.label),
        group,
        blocks,
        severity: shortWord(severityLabel(finding.severity)),
        evidence: shortWord(evidenceLabel(finding)),
        ...(finding.resolution === undefined ? {} : { resolution: shortWord(finding.resolution) }),
      },
    };
  };
}

/** The message of a result. In narrow views, code scanning shows only its first sentence. */
function messageOf(finding: Finding, longest: number): string {
  const { title, description, recommendedFix } = finding;
  const name = plainLine(cutCharacters(title, LONGEST_TITLE).trim()) || 'Finding';
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
    const named = location === undefined ? 'The service gives no location.' : `Not linked: ${location.path}`;
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
      ...(region === undefined ? {} : { region }),
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
