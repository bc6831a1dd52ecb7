import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Lang, parse } from '@ast-grep/napi';
import { describe, expect, test } from 'vitest';
import { UNLEARNED_IN_MESSAGES as UNLEARNED } from './unlearned-words.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCE = path.join(ROOT, 'src');
const GOLDEN = path.join(ROOT, 'test/unit/report/golden');

const read = (file: string) => readFileSync(file, 'utf8');

const parsed = new Map<string, readonly string[]>();

/** The literals of a source file that have several words. People may read them. */
function textsIn(source: string): readonly string[] {
  const before = parsed.get(source);
  if (before !== undefined) return before;
  const literals = parse(Lang.TypeScript, source)
    .root()
    .findAll({ rule: { kind: 'string_fragment', regex: ' ' } });
  const texts = literals.map((literal) => literal.text());
  parsed.set(source, texts);
  return texts;
}

function typescriptIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
}

/** The files of the action itself, as paths below `src`. */
const SOURCES = typescriptIn(SOURCE);

describe('texts for users are in plain words', () => {
  test.each(SOURCES)('the texts of src/%s are in plain words', (file) => {
    const texts = textsIn(read(path.join(SOURCE, file)));
    expect(texts.flatMap((text) => text.match(UNLEARNED) ?? [])).toEqual([]);
  });

  test.each(readdirSync(GOLDEN))('the golden file %s is in plain words', (file) => {
    expect(read(path.join(GOLDEN, file)).match(UNLEARNED) ?? []).toEqual([]);
  });

  test.each(['action.yml', 'doctor/action.yml', 'triage/action.yml', 'sandbox/contract/openapi.yaml'])(
    '%s is in plain words',
    (file) => {
      expect(read(path.join(ROOT, file)).match(UNLEARNED) ?? []).toEqual([]);
    },
  );

  test.each(['sandbox', 'scripts'])('the texts of the code in %s are in plain words', (folder) => {
    const files = typescriptIn(path.join(ROOT, folder));
    expect(files.length).toBeGreaterThan(20);
    const found = files.flatMap((file) =>
      textsIn(read(path.join(ROOT, folder, file))).flatMap((text) =>
        (text.match(UNLEARNED) ?? []).map((word) => `${file}: ${word}`),
      ),
    );
    expect(found).toEqual([]);
  });
});

describe('the search for texts', () => {
  test('the search for texts reads literals and templates, but neither names nor comments', () => {
    const source = [
      "const a = 'How to mend it';",
      'const b = `the story goes on`;',
      "import { noted } from './mended-story.ts'; // told",
    ].join('\n');
    expect(textsIn(source).flatMap((text) => text.match(UNLEARNED) ?? [])).toEqual([
      'mend',
      'story',
      'goes on',
    ]);
  });

  test('the search for texts finds more than 300 texts in the action', () => {
    expect(SOURCES.flatMap((file) => textsIn(read(path.join(SOURCE, file)))).length).toBeGreaterThan(300);
  });
});
