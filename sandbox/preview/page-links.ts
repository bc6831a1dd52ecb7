import type { PageModel } from './build-page-model.ts';
import { lineId, shownFiles } from './shown-files.ts';

/** Returns the address that a link has on a local page. Undefined makes the link plain text. */
export type LinkMap = (address: string) => string | undefined;

/** Leaves every link as it is. */
export const SAME_LINKS: LinkMap = (address) => address;

/**
 * Returns the map for links to the fake servers, which have stopped when the page is read. Such a link leads to a line,
 * the check run, the job summary or the conversation on the page.
 */
export function pageLinks({
  files,
  fakeOrigins,
  repository,
}: Pick<PageModel, 'files' | 'fakeOrigins' | 'repository'>): LinkMap {
  const shown = shownFiles(files);
  const lineOf = (path: string, line: number) => {
    const index = shown.findIndex((file) => file.path === path);
    const isShown = shown[index]?.hunks.some((hunk) => hunk.lines.some(({ after }) => after === line));
    return isShown ? `#${lineId(index, line)}` : undefined;
  };
  return (address) => {
    const url = URL.parse(address);
    if (url === null || !fakeOrigins.includes(url.origin)) return address;
    const prefix = `/${repository}/`;
    if (!url.pathname.startsWith(prefix)) return undefined;
    const [section = '', ...rest] = url.pathname.slice(prefix.length).split('/');
    if (section === 'blob') {
      const line = Number(/^#L(\d+)/.exec(url.hash)?.[1]);
      return lineOf(rest.slice(1).map(decodeURIComponent).join('/'), line);
    }
    return ANCHORS.get(rest.at(-1) === 'checks' ? 'runs' : section);
  };
}

/**
 * The anchors of the job, the check run and the pull request. The key is the first segment of the address after
 * `owner/name`.
 */
const ANCHORS: ReadonlyMap<string, string> = new Map([
  ['actions', '#job-summary'],
  ['runs', '#checks'],
  ['pull', '#conversation'],
]);
