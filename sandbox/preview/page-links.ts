import type { Scene } from './scene.ts';
import { lineId, shownFiles } from './shown-files.ts';

/** Where a link leads on a local page; undefined where there is no such place, and so no link. */
export type LinkMap = (address: string) => string | undefined;

/** Leaves every link as it is. */
export const SAME_LINKS: LinkMap = (address) => address;

/**
 * The stand-ins end before the page is read, so links to them lead to what the page itself shows of it: the line, the
 * check run, the job summary, the conversation.
 */
export function pageLinks({
  files,
  standIns,
  repository,
}: Pick<Scene, 'files' | 'standIns' | 'repository'>): LinkMap {
  const shown = shownFiles(files);
  const lineOf = (path: string, line: number) => {
    const index = shown.findIndex((file) => file.path === path);
    const isShown = shown[index]?.hunks.some((hunk) => hunk.lines.some(({ after }) => after === line));
    return isShown ? `#${lineId(index, line)}` : undefined;
  };
  return (address) => {
    const url = URL.parse(address);
    if (url === null || !standIns.includes(url.origin)) return address;
    const prefix = `/${repository}/`;
    if (!url.pathname.startsWith(prefix)) return undefined;
    const [room = '', ...rest] = url.pathname.slice(prefix.length).split('/');
    if (room === 'blob') {
      const line = Number(/^#L(\d+)/.exec(url.hash)?.[1]);
      return lineOf(rest.slice(1).map(decodeURIComponent).join('/'), line);
    }
    return PLACES.get(rest.at(-1) === 'checks' ? 'runs' : room);
  };
}

/** By the first part of a path in a repository on GitHub: the job's page, the check run's, the pull request's. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['actions', '#job-summary'],
  ['runs', '#checks'],
  ['pull', '#conversation'],
]);
