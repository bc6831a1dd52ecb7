import { describe, expect, test } from 'vitest';
import { REASONS } from '../../src/domain/result.ts';
import { ACTIONS, filesIn, nodesIn, read } from './code.ts';
import { codeSpansOf, USER_PAGES } from './documents.ts';

const MANIFESTS = Object.values(ACTIONS);
/** The inputs of the actions in this repository. */
const INPUTS: ReadonlySet<string> = new Set(MANIFESTS.flatMap(({ inputs }) => Object.keys(inputs)));
/** The inputs, outputs and reasons of the actions in this repository. */
const OURS: ReadonlySet<string> = new Set([
  ...INPUTS,
  ...MANIFESTS.flatMap(({ outputs }) => Object.keys(outputs)),
  ...REASONS,
]);

/** Names that look like settings of the action, but are not. */
const OTHERS: ReadonlySet<string> = new Set([
  // An outcome, a value of two inputs, and the name of a job in an example.
  'not-scanned',
  'on-findings',
  'everything-else',
  // Permissions of GitHub, and keys of workflow files.
  'pull-requests',
  'security-events',
  'cancel-in-progress',
  'continue-on-error',
  // The extension key of our OpenAPI file.
  'x-assumed',
]);

const PAGES = [...USER_PAGES, 'SECURITY.md'];

/** Names of two words or more, alone or with a value: `fail-on`, `fail-on: none`. */
const NAME = /^([a-z]+(?:-[a-z]+)+)(?::.*)?$/;

function unknownIn(spans: readonly string[]): readonly string[] {
  const named = spans.flatMap((span) => NAME.exec(span)?.[1] ?? []);
  return named.filter((name) => !OURS.has(name) && !OTHERS.has(name));
}

/** The code spans in the messages of a source file. */
function spansInMessages(source: string): readonly string[] {
  const literals = nodesIn(source, 'string_fragment', '`').map((literal) => literal.text());
  return literals.flatMap((literal) => [...literal.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span));
}

/** The inputs that the code looks up in the steps of workflow files. A name is a text, or a constant of the same file. */
function inputsLookedUpIn(source: string): readonly string[] {
  return [...source.matchAll(/\binputs\.(?:get|has)\((?:'([^']+)'|(\w+))\)/g)].map(
    ([, text, constant = '']) =>
      text ?? new RegExp(`const ${constant} = '([^']+)'`).exec(source)?.[1] ?? constant,
  );
}

describe('the names of inputs, outputs and reasons', () => {
  test('the messages of the actions mention only inputs, outputs and reasons that exist', () => {
    const spans = filesIn('src/**/*.ts').map((file) => [file, spansInMessages(read(file))] as const);
    expect(spans.flatMap(([, named]) => named).length).toBeGreaterThan(100);
    const unknown = spans.map(([file, named]) => [file, unknownIn(named)]);
    expect(unknown.filter(([, named]) => named?.length !== 0)).toEqual([]);
  });

  test.each(PAGES)('%s mentions only inputs, outputs and reasons that exist', (page) => {
    expect(unknownIn(codeSpansOf(read(page)))).toEqual([]);
  });

  test('the doctor looks up only inputs that exist in the steps of workflow files', () => {
    const found = filesIn('src/{doctor,workflow}/*.ts').flatMap((file) => inputsLookedUpIn(read(file)));
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter((name) => !INPUTS.has(name))).toEqual([]);
  });

  test('the search for looked-up inputs finds texts and constants', () => {
    const source = "const TOKEN = 'a-token'; inputs.has(TOKEN) || step.inputs.get('b')";
    expect(inputsLookedUpIn(source)).toEqual(['a-token', 'b']);
  });

  test('the search for unknown names finds misspelled names', () => {
    expect(unknownIn(['fail-om', 'allow-unscaned: timeout', 'fail-on: none', 'npm ci'])).toEqual([
      'fail-om',
      'allow-unscaned',
    ]);
    expect(spansInMessages("const text = 'Set `fail-om` and push.';")).toEqual(['fail-om']);
  });
});

test('the pages contain every name that the search for unknown names ignores', () => {
  const pages = PAGES.flatMap((page) => codeSpansOf(read(page)));
  const used = new Set(pages.map((span) => NAME.exec(span)?.[1]));
  expect([...OTHERS].filter((name) => !used.has(name))).toEqual([]);
});
