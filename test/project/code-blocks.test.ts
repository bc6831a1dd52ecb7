import { describe, expect, test } from 'vitest';
import { markText } from '../unit/scan/marked.ts';
import { ACTIONS, exists, fileOfScript, read } from './code.ts';
import { codeBlocksOf } from './documented-yaml.ts';
import { USER_PAGES } from './documents.ts';

const blocks = USER_PAGES.flatMap((page) =>
  codeBlocksOf(read(page)).map((block) => ({ page, ...block, place: `${page}:${block.line}` })),
);
const placesOf = (...languages: readonly string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map(({ place, text }) => [place, text] as const);

/** Describes what is wrong with a line of a shell block. Empty if a reader can run the line unchanged. */
function shellProblems(line: string): string[] {
  const commands = line.replace(/(?:^|\s)#.*$/, '').split(/ && | \| /);
  return commands.flatMap((command) => commandProblems(command.trim()));
}

function commandProblems(command: string): string[] {
  const [tool = '', ...given] = command.split(/\s+/);
  if (command === '' || command === 'npm ci' || command === 'npm cit') return [];
  if (tool === 'export') return exportProblems(command);
  if (tool === 'npm' && given[0] === 'run') return scriptProblems(given[1] ?? '', given.slice(2));
  const verified = /^gh attestation verify (\S+) --repo scangate\/scangate$/.exec(command)?.[1];
  if (verified !== undefined) return exists(verified) ? [] : [`${verified} is missing`];
  const imported = /^gh api repos\/OWNER\/NAME\/(?:rulesets|actions\/policies) --input (\S+)$/.exec(
    command,
  )?.[1];
  if (imported !== undefined) return exists(imported) ? [] : [`${imported} is missing`];
  return command === 'gh auth token' ? [] : [`${command} is not known`];
}

function exportProblems(command: string): string[] {
  const [, name = '', inner] = /^export (\w+)=(?:\$\((.+)\)|…)$/.exec(command) ?? [];
  const isRead = read('scripts/doctor.ts').includes(`'${name}'`);
  return [...(isRead ? [] : [`${name} is not read`]), ...(inner === undefined ? [] : commandProblems(inner))];
}

/**
 * Describes what is wrong with a call of `npm run`: a script that does not exist, or options that the code of the
 * script does not name. The inputs of the doctor count as options of `npm run doctor`.
 */
function scriptProblems(name: string, rest: readonly string[]): string[] {
  const file = fileOfScript(name);
  if (file === undefined) return [`there is no script ${name}`];
  const text = read(file);
  const inputs = name === 'doctor' ? Object.keys(ACTIONS[''].inputs) : [];
  const options = rest.filter((word) => /^--\w/.test(word)).map((word) => word.slice(2));
  return options
    .filter((option) => !text.includes(`--${option}`) && !inputs.includes(option))
    .map((option) => `--${option} is not an option of ${name}`);
}

describe('the code blocks of the pages', () => {
  test('every code block of the pages has a language that a test checks', () => {
    const languages = ['yaml', 'json', 'sh', 'mermaid', 'text'];
    expect(blocks.filter(({ language }) => !languages.includes(language)).map(({ place }) => place)).toEqual(
      [],
    );
    expect(new Set(blocks.map(({ language }) => language)).size).toBeGreaterThan(3);
  });

  test.each(placesOf('sh'))('the shell block at %s has only commands that can be run', (_place, text) => {
    expect(text.split('\n').flatMap(shellProblems)).toEqual([]);
  });

  test('the code blocks in JSON are valid JSON', () => {
    for (const [place, text] of placesOf('json')) expect(() => JSON.parse(text), place).not.toThrow();
  });

  test.each(placesOf('mermaid'))(
    'each box of the diagram at %s names a file or folder of src',
    (_place, text) => {
      const named = [...text.matchAll(/\["(.+?)(?: <br>|"\])/g)].flatMap(([, names = '']) =>
        names.split(' · '),
      );
      expect(named.length).toBeGreaterThan(10);
      expect(named.filter((name) => !exists(`src/${name}`))).toEqual([]);
    },
  );

  test('the pages have two code blocks of the language `text`: the form of a mark, and a cost estimate', () => {
    expect(placesOf('text').map(([place]) => place.split(':')[0])).toEqual(['docs/cost.md', 'docs/marks.md']);
    const [, form = ''] = placesOf('text').at(-1) ?? [];
    const places = (mark: string) => mark.split(':').map((field) => field === 'v2');
    expect(places(form.trim())).toEqual(places(markText({ contentKey: 'c' })));
  });

  test('the estimate in docs/cost.md multiplies the credits correctly', () => {
    const [, times = '', credits = '', result = ''] =
      /(\d+) × (\d+) = ([\d,]+) credits/.exec(read('docs/cost.md')) ?? [];
    expect(Number(times) * Number(credits)).toBe(Number(result.replaceAll(',', '')));
    expect(Number(times)).toBeGreaterThan(0);
  });
});

describe('the check of a shell line', () => {
  test.each([
    ['npm run nothing', 'there is no script nothing'],
    ['npm run demo -- --nothing', '--nothing is not an option of demo'],
    ['npm ci && rm -r /', 'rm -r / is not known'],
    ['export NOTHING=$(gh auth token)', 'NOTHING is not read'],
    ['export GITHUB_TOKEN=$(cat token)', 'cat token is not known'],
    ['gh attestation verify nothing.js --repo scangate/scangate', 'nothing.js is missing'],
  ])('the check of shell lines finds what is wrong in `%s`', (line, problem) => {
    expect(shellProblems(line)).toEqual([problem]);
  });
});
