import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

interface Golden {
  /** The names of the rows, in the order of the file. */
  readonly rows: Set<string>;
  /** The text of each row, as saved. */
  readonly blocks: Map<string, string>;
}
const goldens = new Map<string, Golden>();

/** Adds rows to the golden text `golden/NAME.txt`. All rows have to be declared before the first one is compared. */
export function declareBlocks(name: string, rows: readonly { readonly name: string }[]): void {
  const golden = goldens.get(name) ?? { rows: new Set(), blocks: read(fileOf(name)) };
  for (const row of rows) {
    if (golden.rows.has(row.name)) throw new Error(`Two rows of ${name}.txt have the name "${row.name}".`);
    golden.rows.add(row.name);
  }
  goldens.set(name, golden);
}

/** Compares the text of a row with its block in the golden text. `vitest -u` writes the block. Equal rows share one. */
export function expectBlock(name: string, row: string, text: string): void {
  const { rows, blocks } = goldens.get(name) ?? expect.unreachable(`the golden text ${name} is not declared`);
  const mode = expect.getState().snapshotState.snapshotUpdateState;
  if (mode === 'all' || (mode === 'new' && !blocks.has(row))) {
    blocks.set(row, text);
    const titles = [...rows].filter((title) => blocks.has(title));
    const groups = Object.groupBy(titles, (title) => blocks.get(title) ?? '');
    const texts = Object.entries(groups).map(([shared, group = []]) => [
      ...group.map((title) => `# ${title}`),
      shared,
    ]);
    mkdirSync(path.dirname(fileOf(name)), { recursive: true });
    writeFileSync(fileOf(name), texts.map((lines) => `${lines.join('\n')}\n`).join('\n'));
    return;
  }
  expect(text).toBe(blocks.get(row));
  const removed = [...blocks.keys()].filter((title) => !rows.has(title));
  expect(removed, `rows of ${name}.txt that no longer exist`).toEqual([]);
}

function read(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  const blocks = new Map<string, string>();
  let titles: string[] = [];
  for (const block of readFileSync(file, 'utf8').split(/^# /m).slice(1)) {
    const [title = '', ...lines] = block.trimEnd().split('\n');
    titles.push(title);
    if (lines.length === 0) continue;
    for (const each of titles) blocks.set(each, lines.join('\n'));
    titles = [];
  }
  return blocks;
}

function fileOf(name: string): string {
  return path.join(import.meta.dirname, 'golden', `${name}.txt`);
}
