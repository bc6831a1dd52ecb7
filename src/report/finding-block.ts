import type { Finding, Severity } from '../domain/finding.ts';
import { cutCharacters } from '../text/visible-text.ts';
import { evidenceLabel, resolutionLabel, severityLabel, stillFoundText } from './labels.ts';
import { allowedLinks, placeLink, serviceLink } from './links.ts';
import {
  BLANK_LINE,
  codeBlock,
  inlineCode,
  join,
  LINE_BREAK,
  link,
  md,
  NOTHING,
  type SafeMarkdown,
  SEPARATOR,
} from './markdown.ts';
import { renderUntrustedText } from './prose.ts';
import { type ListedReport, showsProof, type WholeReport } from './report.ts';

/** A title is one line. A longer text belongs in the description. */
const LONGEST_TITLE = 300;
const LONGEST_LABEL = 40;

/** The markdown of one finding: a row of two or three lines, and its folded details. */
export interface FindingBlock {
  /** Renders the row when it is needed. Of ten thousand findings, only a few hundred are shown. */
  readonly row: () => SafeMarkdown;
  readonly hasDetails: boolean;
  /** True if the run did not try to read the details. The list of the service may show some of them. */
  readonly isUnread: boolean;
  /**
   * Renders the details when they are needed. Keeps the first `longest` characters of each text. Empty if the finding
   * has no details.
   */
  readonly details: (longest: number) => SafeMarkdown;
}

/** Makes the blocks of findings. @param fresh the findings that are new since the last push; undefined if unknown */
export function findingBlocks(
  findings: readonly Finding[],
  report: ListedReport,
  fresh: readonly Finding[] = [],
): FindingBlock[] {
  const isNew = new Set(fresh);
  const blocking = new Set(report.verdict.findings.blocking);
  return findings.map((finding) => ({
    row: () =>
      join(
        [
          firstLine(finding),
          secondLine(finding, report, { blocks: blocking.has(finding), isNew: isNew.has(finding) }),
          md`${stillFoundText(finding) ?? ''}`,
        ],
        LINE_BREAK,
      ),
    hasDetails: [finding.description, finding.recommendedFix, finding.proofOfConcept].some(isText),
    isUnread: finding.detailsUnread === true,
    details: (longest) => details(finding, report, longest),
  }));
}

function firstLine(finding: Finding): SafeMarkdown {
  // A title may end in a space, and asterisks do not make such a text bold. So HTML tags make the title bold.
  const title = cutCharacters(finding.title, LONGEST_TITLE);
  return md`${ICONS[finding.severity.level]} <b>${severityLabel(finding.severity)}: ${title}</b>`;
}

function secondLine(
  finding: Finding,
  report: WholeReport<unknown>,
  { blocks, isNew }: { readonly blocks: boolean; readonly isNew: boolean },
): SafeMarkdown {
  const pieces = [
    placeLink(finding, report),
    isNew ? md`**new**` : NOTHING,
    blocks ? md`**blocks**` : NOTHING,
    md`${evidenceLabel(finding)}`,
    md`${resolutionLabel(finding) ?? ''}`,
    labelLink(finding, report),
  ];
  return join(pieces, SEPARATOR);
}

function labelLink(finding: Finding, report: WholeReport<unknown>): SafeMarkdown {
  const label = labelCode(finding.label);
  return finding.url === undefined ? label : link(label, finding.url, allowedLinks(report));
}

/** Renders a label as code, because users copy it. In plain text, they would also copy invisible characters. */
export function labelCode(label: string): SafeMarkdown {
  return inlineCode(cutCharacters(label, LONGEST_LABEL));
}

/**
 * Renders the description and the fix. Also renders the proof, if the report may show it.
 * @param longest the number of characters kept of each text
 */
export function findingTexts(finding: Finding, report: WholeReport<unknown>, longest: number): SafeMarkdown {
  const pieces = [
    section(NOTHING, finding.description, longest),
    section(md`**How to fix**`, finding.recommendedFix, longest),
    proof(finding, report, longest),
  ];
  return pieces.every((part) => part === NOTHING) ? NOTHING : join(pieces, BLANK_LINE);
}

function details(finding: Finding, report: WholeReport<unknown>, longest: number): SafeMarkdown {
  const body = findingTexts(finding, report, longest);
  return body === NOTHING
    ? NOTHING
    : md`<details><summary>Details and fix</summary>\n\n${body}\n\n</details>`;
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function section(heading: SafeMarkdown, text: string | undefined, longest: number): SafeMarkdown {
  if (!isText(text)) return NOTHING;
  const kept = cutCharacters(text, longest);
  return join([heading, renderUntrustedText(kept), cutNote(text, kept)], BLANK_LINE);
}

/** Renders the proof of concept. In a public repository, only says that the service shows it. */
function proof(finding: Finding, report: WholeReport<unknown>, longest: number): SafeMarkdown {
  const text = finding.proofOfConcept;
  if (!isText(text)) return NOTHING;
  if (!showsProof(report)) {
    const url = serviceLink(finding, report);
    const where = url === undefined ? md`${SERVICE}` : link(SERVICE, url, allowedLinks(report));
    return md`**Proof of concept**: only ${where}, because this page may be public.`;
  }
  const kept = cutCharacters(text, longest);
  const shown = /^ {0,3}(```|~~~)/m.test(kept) ? renderUntrustedText(kept) : codeBlock(kept);
  return join([md`**Proof of concept**`, shown, cutNote(text, kept)], BLANK_LINE);
}

/** @param kept the shown text; ends with an ellipsis if the text was cut */
function cutNote(text: string, kept: string): SafeMarkdown {
  const more = text.length - (kept.length - 1);
  return kept === text ? NOTHING : md`*Cut here. ${more} more characters are in the scanning service.*`;
}

const SERVICE = 'in the scanning service';

/** The icons of the severities. The word next to each icon says the same. */
export const ICONS: Readonly<Record<Severity['level'], string>> = {
  unknown: '🟣',
  critical: '🔴',
  high: '🟠',
  medium: '🟡',
  low: '🔵',
  info: '⚪',
};
