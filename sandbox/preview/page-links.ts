import type { PageModel } from './page-model.ts';
import { lineId, shownFiles } from './shown-files.ts';

/**
 * Returns where a link leads on a local page. Undefined if the page does not have the target: the link then becomes
 * plain text.
 */
export type LinkMap = (address: string) => string | undefined;

/** Leaves every link as it is. */
export const SAME_LINKS: LinkMap = (address) => address;

/**
 * Replaces the links to the fake servers by links to the page: to the line, the check run, the job summary or the
 * conversation. The servers have stopped before the page is read.
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
