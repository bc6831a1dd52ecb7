import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The size of the window in CSS pixels, and whether the reader prefers dark pages. */
export interface Window {
  readonly width: number;
  readonly height: number;
  readonly dark?: boolean;
}

const run = promisify(execFile);
const BROWSER = process.env['CHROMIUM'] ?? 'chromium';
/**
 * The options with which Chromium always starts. GPU and sandbox are off, because containers do not have them. Chromium
 * has no network.
 */
const ALWAYS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--hide-scrollbars',
  '--force-device-scale-factor=1',
  '--host-resolver-rules=MAP * ~NOTFOUND',
];
const LONGEST_MS = 60_000;
const LARGEST_PAGE_BYTES = 64 * 1024 * 1024;

/** Returns the HTML of the page after it has loaded. */
export async function dumpPage(address: string, window: Window): Promise<string> {
  return browse(['--dump-dom', address], window);
}

/** Takes a picture of the window. */
export async function takePicture(address: string, file: string, window: Window): Promise<void> {
  await browse([`--screenshot=${file}`, address], window);
}

async function browse(args: readonly string[], { width, height, dark = false }: Window): Promise<string> {
  const profile = await mkdtemp(path.join(tmpdir(), 'scangate-browser-'));
  const own = [
    `--user-data-dir=${profile}`,
    `--window-size=${width},${height}`,
    // Blink's numbers: 0 is dark, 1 is light.
    `--blink-settings=preferredColorScheme=${dark ? 0 : 1}`,
  ];
  try {
    const { stdout } = await run(BROWSER, [...ALWAYS, ...own, ...args], {
      timeout: LONGEST_MS,
      maxBuffer: LARGEST_PAGE_BYTES,
    });
    return stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Error(
        `${BROWSER} is not installed: install Debian's package chromium, or name it in CHROMIUM.`,
      );
    throw error;
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
