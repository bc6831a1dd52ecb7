import { describe, expect, test } from 'vitest';
import type { CheckAnnotation } from '../../../src/domain/check-output.ts';
import { createRunnerLog, createWarnings } from '../../../src/runner/log.ts';
import { printed } from '../../support/runner-files.ts';

const ANNOTATION: CheckAnnotation = {
  path: 'src/a.ts',
  startLine: 3,
  endLine: 4,
  level: 'failure',
  title: 'A title',
  message: 'Why',
  rawDetails: undefined,
};

describe('foreign text', () => {
  test('a newline in foreign text does not start a line of the log', () => {
    const lines = printed();
    const log = createRunnerLog();
    const text = 'a\nPassed: no findings.';
    log.info(text);
    log.warning(text);
    log.error(text, [text]);
    log.group(text, [text]);
    log.annotate({ ...ANNOTATION, title: text, path: text, message: text });
    const shown = lines().map((line) => line.replace(/file=[^,]*/, ''));
    for (const line of shown.flatMap((command) => command.split('%0A'))) expect(line).not.toMatch(/^Passed/);
    expect(lines()).toContain('a⟨U+000A⟩Passed: no findings.');
  });

  test('foreign text does not end an annotation', () => {
    const lines = printed();
    createRunnerLog().annotate({
      ...ANNOTATION,
      path: 'src/a,line=1::x.ts',
      title: 'a,line=9::b\n::error::c',
      message: 'one\n::error::two',
    });
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatch(
      /^::error title=[^,:]*,file=src\/a%2Cline=1%3A%3Ax\.ts,line=3,endLine=4::one%0A/,
    );
    expect(lines()[0]).not.toContain('%0A::');
  });
});

test.each([
  ['failure', 'error', 9],
  ['warning', 'warning', 10],
  ['notice', 'notice', 10],
] as const)(
  'annotations of the level `%s` use the command `%s`, at most %i times',
  (level, command, limit) => {
    const lines = printed();
    const log = createRunnerLog();
    const shown = Array.from({ length: 12 }, () => log.annotate({ ...ANNOTATION, level }));
    expect(shown).toEqual(Array.from({ length: 12 }, (_, index) => index < limit));
    expect(lines()).toHaveLength(limit);
    for (const line of lines()) expect(line.startsWith(`::${command} `)).toBe(true);
  },
);

test('errors and warnings of the run count towards the annotation limits', () => {
  const lines = printed();
  const log = createRunnerLog();
  log.error('a fault');
  for (let count = 0; count < 11; count += 1) log.warning('a notice');
  const shown = (level: CheckAnnotation['level']) =>
    Array.from({ length: 10 }, () => log.annotate({ ...ANNOTATION, level })).filter(Boolean).length;
  expect([shown('failure'), shown('warning'), shown('notice')]).toEqual([8, 0, 10]);
  expect(lines().filter((line) => line === '::warning::a notice')).toHaveLength(11);
});

test('a secret in the log is masked, and an empty secret is ignored', () => {
  const lines = printed();
  const log = createRunnerLog();
  log.mask('');
  log.mask('hunter22');
  expect(lines()).toEqual(['::add-mask::hunter22']);
});

test('a step logs each warning once, in order', () => {
  const logged: string[] = [];
  const { warn, list } = createWarnings({
    ...createRunnerLog(),
    warning: (sentence) => void logged.push(sentence),
  });
  warn('b', 'a');
  expect(logged).toEqual(['b', 'a']);
  warn('a');
  warn('c', 'b');
  expect(logged).toEqual(['b', 'a', 'c']);
  expect(list()).toEqual(logged);
});
