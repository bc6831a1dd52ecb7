import type { Finding, FindingLocation } from '../domain/finding.ts';
import { isPlainPath, pathFault } from '../domain/path-patterns.ts';
import { scanKindOf } from '../domain/target.ts';
import { cutCharacters } from '../text/visible-text.ts';
import { inlineCode, link, md, NOTHING, type SafeMarkdown } from './markdown.ts';
import type { Report, WholeReport } from './report.ts';

/** How this action names itself in its JSON files. A test compares the version with `package.json`. */
export const TOOL = {
  name: 'Scangate',
  version: '0.1.0',
  informationUri: 'https://github.com/scangate/scangate',
} as const;

/**
 * Returns the address of a page of the documentation, or of a section of it. The address names no version, so that it
 * also exists if the workflow pins a commit.
 */
export function docsPage(name: string, section?: string): string {
  const anchor = section === undefined ? '' : `#${section}`;
  return `${TOOL.informationUri}/blob/HEAD/docs/${name}.md${anchor}`;
}

/** A place in the repository for a link or an annotation. */
export interface Place {
  /** Relative and normalized, with forward slashes. */
  readonly path: string;
  /** Line numbers from 1. `end` is `start` or a later line. Undefined if only the file is known. */
  readonly lines: { readonly start: number; readonly end: number } | undefined;
}

/** GitHub reads line numbers as 32-bit integers. */
const LAST_LINE = 2 ** 31 - 1;

/**
 * Checks the place of a finding. A `./` at the start of the path is dropped. Undefined if the path is absolute, not
 * normalized or has invisible characters, or if the lines are invalid. Such a finding is listed without a place.
 */
export function placeOf(location: FindingLocation | undefined): Place | undefined {
  if (location === undefined) return undefined;
  const { startLine, endLine } = location;
  const path = fromRoot(location.path);
  if (!isPlainPath(path)) return undefined;
  if (startLine === undefined) return endLine === undefined ? { path, lines: undefined } : undefined;
  const lines = { start: startLine, end: endLine ?? startLine };
  return isLine(lines.start) && isLine(lines.end) && lines.end >= lines.start ? { path, lines } : undefined;
}

/** Says why `placeOf` gives no lines, as a clause: `the path is absolute`. */
export function causeWithoutLines(location: FindingLocation | undefined): string {
  if (location === undefined) return 'no line is known';
  const fault = pathFault(fromRoot(location.path));
  if (fault !== undefined) return `the path ${fault}`;
  return placeOf(location) === undefined ? 'the line is invalid' : 'no line is known';
}

function fromRoot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

function isLine(line: number): boolean {
  return Number.isInteger(line) && line >= 1 && line <= LAST_LINE;
}

/** A longer path is cut in the text. The link still leads to the file. */
const LONGEST_SHOWN_PATH = 200;
/** GitHub renders these files. A link to a line works only in their plain text. */
const RENDERED = /\.(?:md|mdx|markdown|rst|adoc|org|textile|ipynb|svg|csv|tsv)$/i;

/** Where links may lead: to this repository on its GitHub server, and to the scanning service. */
export function allowedLinks(report: WholeReport<unknown>): readonly string[] {
  const { target, serverUrl, serviceOrigin } = report;
  const repository =
    target === undefined ? [] : [`${serverUrl}/${target.repository.owner}/${target.repository.name}/`];
  return [...repository, `${serviceOrigin}/`];
}

/** The address of the pull request's checks, which link to its runs. Undefined if there is no pull request. */
export function checksUrl({ target, serverUrl }: WholeReport<unknown>): string | undefined {
  if (target?.pullRequest === undefined) return undefined;
  const { repository, pullRequest } = target;
  return `${serverUrl}/${repository.owner}/${repository.name}/pull/${pullRequest.number}/checks`;
}

/** Links the place of the finding to its lines at the head commit. If that is not possible, shows the place as text. */
export function placeLink(finding: Finding, report: WholeReport<unknown>): SafeMarkdown {
  const place = placeOf(finding.location);
  if (place === undefined) {
    const named = finding.location?.path;
    return named === undefined
      ? md`no location`
      : md`${inlineCode(cutCharacters(named, LONGEST_SHOWN_PATH))} (not linked: ${causeWithoutLines(finding.location)})`;
  }
  const shown = md`${inlineCode(cutCharacters(place.path, LONGEST_SHOWN_PATH))}${linesOf(place)}`;
  const url = permalink(place, report);
  return url === undefined ? shown : link(shown, url, allowedLinks(report));
}

/**
 * The address of the finding's page in the service. If the finding has no page, this is the address of the published
 * page.
 */
export function serviceLink(finding: Finding, report: WholeReport<unknown>): string | undefined {
  return finding.url ?? report.publication?.url;
}

function permalink({ path, lines }: Place, report: WholeReport<unknown>): string | undefined {
  const { target, serverUrl } = report;
  if (target === undefined) return undefined;
  const { owner, name } = target.repository;
  const file = path.split('/').map(encodeURIComponent).join('/');
  const anchor =
    lines === undefined ? '' : `#L${lines.start}${lines.end > lines.start ? `-L${lines.end}` : ''}`;
  const plain = anchor !== '' && RENDERED.test(path) ? '?plain=1' : '';
  return `${serverUrl}/${owner}/${name}/blob/${target.headSha}/${file}${plain}${anchor}`;
}

/** Empty if only the file is known. Otherwise begins with a blank. */
function linesOf({ lines }: Place): SafeMarkdown {
  if (lines === undefined) return NOTHING;
  return lines.end > lines.start ? md` lines ${lines.start}–${lines.end}` : md` line ${lines.start}`;
}

const LONGEST_NAME = 100;

/** Says where to read the findings if this report shows only their labels. Empty if the report withholds nothing. */
export function readOnSection(report: Report): SafeMarkdown {
  if (!hasWithheld(report)) return NOTHING;
  const scan = inlineCode(scanOf(report));
  const page = codeScanningPage(report);
  const alerts =
    page === undefined
      ? NOTHING
      : md` If this workflow uploads its ${inlineCode('sarif-file')}, users with write access can also read them in ${link('code scanning', page, allowedLinks(report))}.`;
  return md`**This page may be public, so it shows only the labels of the findings.** To read the findings, open scan ${scan} in the scanning service.${alerts}`;
}

/** Says the same as `readOnSection` in one line for the log. The caller escapes the line. */
export function readOnLine(report: Report): string | undefined {
  if (!hasWithheld(report)) return undefined;
  const page = codeScanningPage(report);
  const alerts =
    page === undefined
      ? ''
      : ` If this workflow uploads its \`sarif-file\`, users with write access can also read them in code scanning: ${page}`;
  return `This log may be public, so it shows only the labels of the findings. To read the findings, open scan \`${scanOf(report)}\` in the scanning service.${alerts}`;
}

function hasWithheld({ disclosure, verdict }: Report): boolean {
  return disclosure === 'labels' && verdict.findings.total > 0;
}

function scanOf({ scanId = '' }: Report): string {
  return cutCharacters(scanId, LONGEST_NAME);
}

/**
 * The address of the code scanning page, which GitHub shows to users with write access. A push has no SARIF file, so
 * its report does not link to that page.
 */
function codeScanningPage({ target, serverUrl }: Report): string | undefined {
  if (target === undefined || scanKindOf(target) !== 'full') return undefined;
  const { owner, name } = target.repository;
  return `${serverUrl}/${owner}/${name}/security/code-scanning`;
}
