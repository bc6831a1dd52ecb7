import { describe, expect, test } from 'vitest';
import type { CheckAnnotation } from '../../../src/domain/check-output.ts';
import { createRunnerLog, createWarnings, type Log } from '../../../src/runner/log.ts';
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

test('a step prints ten annotations of each level, and keeps one error for its verdict', () => {
  const commands = { failure: 'error', warning: 'warning', notice: 'notice' } as const;
  const shownAfter = (start: (log: Log) => void) => {
    const log = createRunnerLog();
    start(log);
    return Object.entries(commands).map(([name, command]) => {
      const level = name as CheckAnnotation['level'];
      const lines = printed();
      const shown = Array.from({ length: 12 }, () => log.annotate({ ...ANNOTATION, level })).filter(Boolean);
      expect(lines().filter((line) => line.startsWith(`::${command} `))).toHaveLength(shown.length);
      return shown.length;
    });
  };
  expect(shownAfter(() => {})).toEqual([9, 10, 10]);
  // Errors and warnings of the run count towards the limits.
  const count = shownAfter((log) => {
    log.error('a fault');
    for (let times = 0; times < 11; times += 1) log.warning('a notice');
  });
  expect(count).toEqual([8, 0, 10]);
});

test('a secret in the log is masked, and an empty secret is ignored', () => {
  const lines = printed();
  for (const secret of ['', 'hunter22']) createRunnerLog().mask(secret);
  expect(lines()).toEqual(['::add-mask::hunter22']);
});

test('a step logs each warning once, in order', () => {
  const logged: string[] = [];
  const { warn, list } = createWarnings({ ...createRunnerLog(), warning: (text) => void logged.push(text) });
  for (const texts of [['b', 'a'], ['a'], ['c', 'b']]) warn(...texts);
  expect(logged).toEqual(['b', 'a', 'c']);
  expect(list()).toEqual(logged);
});
