import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePage } from '../../sandbox/preview/write-page.ts';
import { takePicture } from './chromium.ts';
import { look } from './look.ts';

const WIDTH = 900;

/** For each picture of the README, the CSS selectors of the sections that it shows. */
const PICTURES: Readonly<Record<string, string>> = {
  comment: '.comment, .merge',
  annotation: 'h2 + .file',
};

/** The README shows each reader the picture that matches their color scheme. */
const COLORS = { light: false, dark: true } as const;

/**
 * Takes each picture of the README in light and in dark colors. Returns the files.
 * @param address the preview page of a pull request
 */
export async function takePictures(address: string, folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const [name, kept] of Object.entries(PICTURES)) {
    const part = await pageWith(
      address,
      name,
      `main { padding: 12px } main > :not(${kept}), .comment > footer { display: none }`,
    );
    const height = await look(part, { width: WIDTH, height: 600 }, 'return document.body.offsetHeight;');
    if (typeof height !== 'number') throw new Error('the page has no height');
    for (const [color, dark] of Object.entries(COLORS)) {
      const file = path.join(folder, `${name}-${color}.png`);
      await takePicture(part, file, { width: WIDTH, height, dark });
      files.push(file);
    }
  }
  return files;
}

async function pageWith(address: string, name: string, css: string): Promise<string> {
  const page = await readFile(fileURLToPath(address), 'utf8');
  return writePage(
    `${name}.html`,
    page.replace('</head>', () => `<style>${css}</style></head>`),
  );
}
