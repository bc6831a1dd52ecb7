import type { Finding } from '../domain/finding.ts';
import { cutCharacters } from '../text/text-limit.ts';
import { evidenceWords, resolutionWords, severityWord } from './finding-words.ts';
import type { GroupedFinding } from './grouped-findings.ts';
import { allowedAddress } from './link-target.ts';
import { allowedLinks } from './links.ts';
import { placeOf } from './location.ts';
import type { Report } from './report.ts';
import { sarifLevel } from './sarif-rules.ts';
import { hashOf, plainLine, plainText } from './sarif-text.ts';

export const SOURCE_ROOT = '%SRCROOT%';

/**
 * Code scanning refuses a whole file for one result without a file, so a finding without a usable place gets the name
 * that other scanners use for it, and that GitHub's users know.
 */
const NO_FILE = 'no%20file%20associated%20with%20this%20alert';
const LONGEST_TITLE = 300;
const LONGEST_WORD = 200;

/**
 * Makes the results of one file, in turn.
 * @param longest characters kept of each text
 */
export function sarifResults(
  report: Report,
  ruleOf: (finding: Finding) => object,
  longest: number,
): (one: GroupedFinding) => object {
  const seen = new Map<string, number>();
  return ({ finding, group, blocks }) => {
    const address = finding.url && allowedAddress(finding.url, allowedLinks(report));
    return {
      ...ruleOf(finding),
      level: sarifLevel(finding.severity),
      message: { text: messageOf(finding, longest) },
      locations: [locationOf(finding)],
      partialFingerprints: fingerprintsOf(finding, seen),
      // In every result or in none, so that none means "not suppressed".
      suppressions: group === 'triaged' ? [suppressionOf(finding)] : [],
      ...(address ? { hostedViewerUri: address } : {}),
      properties: {
        ...(finding.id === undefined ? {} : { findingId: finding.id }),
        label: shortWord(finding.label),
        group,
        blocks,
        severity: shortWord(severityWord(finding.severity)),
        evidence: shortWord(evidenceWords(finding)),
        ...(finding.resolution === undefined ? {} : { resolution: shortWord(finding.resolution) }),
      },
    };
  };
}

/** Code scanning shows the first sentence alone where there is little room. */
function messageOf(finding: Finding, longest: number): string {
  const { title, description, recommendedFix } = finding;
  const name = plainLine(cutCharacters(title, LONGEST_TITLE).trim()) || 'Finding';
  const parts = [
    /[.!?…]$/.test(name) ? name : `${name}.`,
    plainText(cutCharacters(description ?? '', longest)),
    recommendedFix?.trim() ? plainText(`How to mend it: ${cutCharacters(recommendedFix, longest)}`) : '',
    // Code scanning shows no property of a result: this is how a reader finds it in the service.
    `In the scanning service: ${shortWord(finding.label)} (${shortWord(evidenceWords(finding))}).`,
  ];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

function locationOf({ location }: Finding): object {
  const place = placeOf(location);
  if (place === undefined) {
    const named = location === undefined ? 'The service names no place.' : `Not linked: ${location.path}`;
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

/**
 * By the finding's id, or without one by what it says and where. `primaryLocationLineHash` is the only one that GitHub
 * looks at, in its form of a hash and a running number.
 */
function fingerprintsOf({ id, severity, title, location }: Finding, seen: Map<string, number>): object {
  const hash =
    id === undefined
      ? hashOf('place', severity.level, title, location?.path, location?.startLine)
      : hashOf('id', id);
  const number = (seen.get(hash) ?? 0) + 1;
  seen.set(hash, number);
  const fingerprint = `${hash}:${number}`;
  return {
    primaryLocationLineHash: fingerprint,
    [id === undefined ? 'place/v1' : 'findingId/v1']: fingerprint,
  };
}

function suppressionOf(finding: Finding): object {
  const words = resolutionWords(finding) ?? 'closed';
  return {
    kind: 'external',
    status: 'accepted',
    justification: `Triaged in the scanning service: ${words}.`,
  };
}

function shortWord(text: string): string {
  return cutCharacters(plainLine(text), LONGEST_WORD);
}
