import type { Finding } from '../domain/finding.ts';
import { cutCharacters } from '../text/text-limit.ts';
import { type Place, placeOf } from './location.ts';
import { inlineCode, link, md, NOTHING, type SafeMarkdown } from './markdown.ts';
import { headShaOf, type RunFacts } from './report.ts';

/** A longer path is cut in the text. The link still leads to the file. */
const LONGEST_SHOWN_PATH = 200;
/** GitHub renders these files. A link to a line works only in their plain text. */
const RENDERED = /\.(?:md|mdx|markdown|rst|adoc|org|textile|ipynb|svg|csv|tsv)$/i;

/** Where links may lead: to this repository on its GitHub server, and to the scanning service. */
export function allowedLinks(report: RunFacts): readonly string[] {
  const { target, serverUrl, serviceOrigin } = report;
  const repository =
    target === undefined ? [] : [`${serverUrl}/${target.repository.owner}/${target.repository.name}/`];
  return [...repository, `${serviceOrigin}/`];
}

/** The address of the pull request's checks, which link to its runs. Undefined if there is no pull request. */
export function checksUrl({ target, serverUrl }: RunFacts): string | undefined {
  if (target?.pullRequest === undefined) return undefined;
  const { repository, pullRequest } = target;
  return `${serverUrl}/${repository.owner}/${repository.name}/pull/${pullRequest.number}/checks`;
}

/** Links the place of the finding to its lines at the head commit. If that is not possible, shows the place as text. */
export function placeLink(finding: Finding, report: RunFacts): SafeMarkdown {
  const place = placeOf(finding.location);
  if (place === undefined) {
    const named = finding.location?.path;
    return named === undefined
      ? md`no location`
      : md`${inlineCode(cutCharacters(named, LONGEST_SHOWN_PATH))} (not linked)`;
  }
  const shown = md`${inlineCode(cutCharacters(place.path, LONGEST_SHOWN_PATH))}${linesOf(place)}`;
  const url = permalink(place, report);
  return url === undefined ? shown : link(shown, url, allowedLinks(report));
}

/**
 * The address of the finding's page in the service. If the finding has no page, this is the address of the published
 * page.
 */
export function serviceLink(finding: Finding, report: RunFacts): string | undefined {
  return finding.url ?? report.publication?.url;
}

function permalink({ path, lines }: Place, report: RunFacts): string | undefined {
  const { target, serverUrl } = report;
  const head = headShaOf(report);
  if (target === undefined || head === undefined) return undefined;
  const { owner, name } = target.repository;
  const file = path.split('/').map(encodeURIComponent).join('/');
  const anchor =
    lines === undefined ? '' : `#L${lines.start}${lines.end > lines.start ? `-L${lines.end}` : ''}`;
  const plain = anchor !== '' && RENDERED.test(path) ? '?plain=1' : '';
  return `${serverUrl}/${owner}/${name}/blob/${head}/${file}${plain}${anchor}`;
}

/** Empty if only the file is known. Otherwise begins with a blank. */
function linesOf({ lines }: Place): SafeMarkdown {
  if (lines === undefined) return NOTHING;
  return lines.end > lines.start ? md` lines ${lines.start}–${lines.end}` : md` line ${lines.start}`;
}
