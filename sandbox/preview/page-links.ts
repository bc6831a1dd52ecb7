import type { PageModel } from './page-model.ts';
import { lineId, shownFiles } from './shown-files.ts';

/** The target of a link on a local page. Undefined where the page does not have it: then it is not a link. */
export type LinkMap = (address: string) => string | undefined;

/** Leaves every link as it is. */
export const SAME_LINKS: LinkMap = (address) => address;

/**
 * The fake servers stop before the page is read. Links to them lead to the page itself: to the line, the check run, the
 * job summary, the conversation.
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

/** By the first part of a path in a repository on GitHub: the job's page, the check run's, the pull request's. */
const ANCHORS: ReadonlyMap<string, string> = new Map([
  ['actions', '#job-summary'],
  ['runs', '#checks'],
  ['pull', '#conversation'],
]);
