import { describe, expect, test } from 'vitest';
import { createSecretMasker } from '../../../sandbox/runner/secret-masker.ts';
import { createStepLog } from '../../../sandbox/runner/step-log.ts';

function logOf(lines: readonly string[], options: { debug?: boolean; secrets?: string[] } = {}) {
  const masker = createSecretMasker(options.secrets ?? []);
  const log = createStepLog({ masker, workspace: '/home/runner/demo', debug: options.debug ?? false });
  for (const line of lines) log.line(line);
  return { ...log, failed: log.failed, masks: masker.values };
}

describe('annotations', () => {
  test('annotations have the values of their command, with a file path relative to the workspace', () => {
    const { annotations } = logOf([
      '::error title=T,file=/home/runner/demo/src/a.js,line=3,endLine=5::boom',
      '::warning file=/elsewhere/a.js,line=3,endLine=2::w',
      'text ##[notice endLine=4]n',
    ]);
    expect(annotations).toEqual([
      { level: 'error', message: 'boom', title: 'T', file: 'src/a.js', line: 3, endLine: 5 },
      {
        level: 'warning',
        message: 'w',
        title: undefined,
        file: '/elsewhere/a.js',
        line: undefined,
        endLine: undefined,
      },
      { level: 'notice', message: 'n', title: undefined, file: undefined, line: 4, endLine: 4 },
    ]);
  });

  test('the log shows all annotations, but `annotations` has only ten of each level', () => {
    const twelve = Array.from({ length: 12 }, (_, at) => `::error::e${at}`);
    const { annotations, shown } = logOf([...twelve, '::warning::w']);
    expect(annotations.map(({ message }) => message)).toEqual([
      ...twelve.slice(0, 10).map((l) => l.slice(9)),
      'w',
    ]);
    expect(shown).toHaveLength(13);
  });

  test('annotations are truncated at 4096 characters', () => {
    expect(logOf([`::error::${'x'.repeat(5000)}`]).annotations[0]?.message).toHaveLength(4096);
  });
});

describe('the log', () => {
  test('the log shows groups, and shows debug lines only on request', () => {
    const lines = ['::group::G', 'plain', '::endgroup::', '::debug::d'];
    expect(logOf(lines).shown).toEqual(['##[group]G', 'plain', '##[endgroup]']);
    expect(logOf(lines, { debug: true }).shown).toContain('##[debug]d');
  });

  test('after `add-mask`, the log masks the value, each of its lines and its encodings', () => {
    const { shown, masks } = logOf([
      'before s3cret-one',
      '::add-mask::s3cret-one%0As3cret-two',
      'after s3cret-two',
      `encoded ${Buffer.from('user:s3cret-two').toString('base64')} ${encodeURIComponent('a b')}`,
      '::error::oh s3cret-one',
    ]);
    expect(masks).toEqual(['s3cret-one\ns3cret-two', 's3cret-one', 's3cret-two']);
    expect(shown[0]).toBe('before s3cret-one');
    expect(shown[1]).toBe('after ***');
    expect(shown[2]).not.toContain(Buffer.from('s3cret-two').subarray(1).toString('base64'));
    expect(shown[3]).toBe('##[error]oh ***');
  });

  test('the log warns of an empty mask', () => {
    const { annotations, masks } = logOf(['::add-mask:: ']);
    expect([annotations[0]?.level, masks]).toEqual(['warning', []]);
  });

  test('after `stop-commands`, the log ignores commands until a line repeats the token', () => {
    const { shown, annotations, masks } = logOf([
      '::stop-commands::Token-1',
      '::error::ignored',
      'x ##[error]ignored',
      '::token-1::',
      '::error::heard',
    ]);
    expect(annotations.map(({ message }) => message)).toEqual(['heard']);
    expect(shown).toContain('::error::ignored');
    expect(masks).toEqual(['Token-1']);
  });

  test.each([
    '::stop-commands::',
    '::stop-commands::error',
    '::set-env name=A::1',
    '::add-path::/x',
    '::echo::maybe',
  ])('the line %j makes the step fail', (line) => {
    expect(logOf([line])).toMatchObject({ failed: true });
  });

  test('the commands `set-output` and `save-state` work, but cause a warning', () => {
    const { outputs, state, annotations, failed } = logOf([
      '::set-output name=a::1',
      '::save-state name=b::2',
    ]);
    expect([outputs.get('a'), state.get('b'), failed]).toEqual(['1', '2', false]);
    expect(annotations.map(({ level }) => level)).toEqual(['warning', 'warning']);
    expect(logOf(['::set-output::1']).failed).toBe(true);
  });

  test('after the command `echo`, the log shows the text of later commands', () => {
    expect(logOf(['::echo::on', '::group::G', '::echo::off', '::group::H']).shown).toEqual([
      '::group::G',
      '##[group]G',
      '::echo::off',
      '##[group]H',
    ]);
  });
});

test('the log shows one mask for two secrets that touch or overlap', () => {
  const masker = createSecretMasker(['abc', 'cde', 'xyz']);
  expect(masker.mask('1abcde2xyzxyz3abc abc')).toBe('1***2***3*** ***');
});
