import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

/** The blocks of each golden text, by the names of their rows. */
const texts = new Map<string, Map<string, string>>();

/** Adds rows to the golden text `golden/NAME.txt`. All rows have to be declared before the first one is compared. */
export function declareBlocks(golden: string, rows: readonly { readonly name: string }[]): void {
  const saved = read(fileOf(golden));
  const blocks = texts.get(golden) ?? new Map<string, string>();
  for (const { name } of rows) blocks.set(name, saved.get(name) ?? '');
  texts.set(golden, blocks);
}

/** Compares the text of a row with its block in the golden text. `vitest -u` replaces the block. */
export async function expectBlock(golden: string, name: string, text: string): Promise<void> {
  const blocks = new Map(texts.get(golden)).set(name, text);
  const whole = [...blocks].map(([title, block]) => `# ${title}\n${block}\n`).join('\n');
  await expect(whole).toMatchFileSnapshot(fileOf(golden));
  texts.set(golden, blocks);
}

function read(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const blocks = readFileSync(file, 'utf8').split(/^# /m).slice(1);
  return new Map(
    blocks.map((block) => {
      const [name = '', ...lines] = block.trimEnd().split('\n');
      return [name, lines.join('\n')];
    }),
  );
}

function fileOf(golden: string): string {
  return path.join(import.meta.dirname, 'golden', `${golden}.txt`);
}
