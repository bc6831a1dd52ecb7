import { describe, expect, test } from 'vitest';
import { parseCommand, REGISTERED_COMMANDS } from '../../../sandbox/runner/workflow-command.ts';

const known = (name: string) => REGISTERED_COMMANDS.includes(name);
const parsed = (line: string) => {
  const command = parseCommand(line, known);
  return command && [command.name, Object.fromEntries(command.properties), command.data];
};

describe('the colon syntax', () => {
  test.each([
    ['::error::boom', ['error', {}, 'boom']],
    ['  \t::error::boom', ['error', {}, 'boom']],
    ['\u0085::error::boom', ['error', {}, 'boom']],
    ['::ERROR File=a.js,line=3::boom', ['error', { file: 'a.js', line: '3' }, 'boom']],
    ['::error title=a%3Ab%2Cc%25,file=x::a%0Ab%25', ['error', { title: 'a:b,c%', file: 'x' }, 'a\nb%']],
    ['::error title=a=b,=x,y=,,z==1::', ['error', { title: 'a=b', z: '1' }, '']],
    ['::error::one::two', ['error', {}, 'one::two']],
    ['::error title=%250A::%250A', ['error', { title: '%0A' }, '%0A']],
    ['::endgroup::', ['endgroup', {}, '']],
  ])('the colon syntax of a command is parsed: %j', (line, expected) => {
    expect(parsed(line)).toEqual(expected);
  });

  test.each([
    'x ::error::boom',
    '::error',
    ':: error::boom',
    '::nothing::boom',
    '\uFEFF::error::boom',
    '::',
    '',
  ])('a line without a valid command in colon syntax is plain text: %j', (line) => {
    expect(parsed(line)).toBeUndefined();
  });
});

describe('the bracket syntax', () => {
  test.each([
    ['##[error]boom', ['error', {}, 'boom']],
    ['anywhere in a line ##[error]boom', ['error', {}, 'boom']],
    ['`##[warning file=a;line=1]x`', ['warning', { file: 'a', line: '1' }, 'x`']],
    // Only `::` commands remove white space around the properties.
    ['::warning  file=a,line=1 ::x', ['warning', { file: 'a', line: '1' }, 'x']],
    ['##[warning  file=a;line=1 ]x', ['warning', { ' file': 'a', line: '1 ' }, 'x']],
    ['##[error title=a%3Bb%5Dc]x%0Ay', ['error', { title: 'a;b]c' }, 'x\ny']],
    ['::nothing::##[add-mask]secret', ['add-mask', {}, 'secret']],
  ])('the bracket syntax of a command is parsed: %j', (line, expected) => {
    expect(parsed(line)).toEqual(expected);
  });

  test.each(['# #[error]x', '##[error', '##[nothing]x', '##[nothing]##[error]x', '##[ error]x'])(
    'a line without a valid command in bracket syntax is plain text: %j',
    (line) => {
      expect(parsed(line)).toBeUndefined();
    },
  );
});
