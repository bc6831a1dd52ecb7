import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writePage } from '../../sandbox/preview/write-page.ts';
import { dumpPage, type Window } from './chromium.ts';

const POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/;

/**
 * Runs a script in the page, after the browser has laid the page out. Our pages forbid scripts, so the script runs in a
 * copy of the page that allows them.
 * @param script the body of a function; its result is passed as JSON
 */
export async function look(address: string, window: Window, script: string): Promise<unknown> {
  const page = await readFile(fileURLToPath(address), 'utf8');
  if (!POLICY.test(page)) throw new Error('the page does not forbid scripts');
  const report = `document.documentElement.dataset.seen = encodeURIComponent(JSON.stringify((() => {${script}})()));`;
  const copy = page.replace(POLICY, '').replace('</body>', () => `<script>${report}</script></body>`);
  const dumped = await dumpPage(writePage('looked-at.html', copy), window);
  const [, seen] = /data-seen="([^"]*)"/.exec(dumped) ?? [];
  if (seen === undefined) throw new Error('the script in the page did not end');
  return JSON.parse(decodeURIComponent(seen));
}
